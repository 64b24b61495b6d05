import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { goDone } from '../kit/answers.ts'
import { rowsIn, rowsOf, shown } from '../kit/call.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { DashboardContext, DashboardPage, Offer, Viewed } from '../kit/visit.ts'

/** The maximum number of tags with a checkbox. People can add other tags by name. */
const MOST = 100

export async function tagsOf(visit: DashboardContext, customer: Viewed<'customer'>): Promise<Page | null> {
  if (!mayOpen(visit, `/customers/${customer.id}/set-tags`, 'POST')) return shownTags(customer)
  const { rows } = await rowsOf(visit.call('GET /tags', { query: { limit: MOST } }))
  const ownIds = new Set(customer.tags.map((tag) => (typeof tag === 'object' ? tag.id : tag)))
  const known = new Set(rows.map(({ id }) => id))
  const all = [...customer.tags.filter((tag) => typeof tag === 'object').filter(({ id }) => !known.has(id)), ...rows]
  const boxes = all.map(
    ({ id, name }) =>
      html`<label class="shop-check"><input type="checkbox" name="tag" value="${id}"${ownIds.has(id) ? html` checked` : ''}> ${name}</label>`,
  )
  return html`<section class="card" aria-labelledby="tags"><h2 id="tags">Tags</h2>
<form class="tag-form" method="post" action="${visit.base}/customers/${encodeURIComponent(customer.id)}/set-tags"><input type="hidden" name="csrf" value="${visit.csrf}">
<fieldset class="shop-checks"><legend class="unseen">Tags of this customer</legend>${boxes}</fieldset>
<div class="inline"><div class="filter"><label for="new-tag">New tag</label><input id="new-tag" name="new" maxlength="100" autocomplete="off"></div><button>Save tags</button></div></form></section>`
}

function shownTags(customer: Viewed<'customer'>): Page | null {
  if (namesOf(customer).length === 0) return null
  return html`<section class="card" aria-labelledby="tags"><h2 id="tags">Tags</h2><p>${tagBadges(customer)}</p></section>`
}

export function tagBadges(customer: Viewed<'customer'>): Page {
  return html`${namesOf(customer).map((name) => html`<span class="badge plain">${name}</span> `)}`
}

function namesOf({ tags }: Viewed<'customer'>): string[] {
  return tags.flatMap((tag) => (typeof tag === 'object' ? tag.name : []))
}

export async function tagOffers(visit: DashboardContext): Promise<Offer[]> {
  const { rows } = rowsIn(await visit.call('GET /tags', { query: { limit: MOST } }))
  return rows.map(({ name }): Offer => [name, name]).toSorted(([one], [other]) => one.localeCompare(other))
}

export const setTags: DashboardPage = {
  path: '/customers/:id/set-tags',
  send: 'customers.write',
  post: async (visit, { id }, form) => {
    const added = form.get('new')?.trim()
    const body = { tags: [...form.getAll('tag'), ...(added ? [added] : [])], mode: 'replace' }
    await shown(visit.call('POST /customers/{id}/tags', { path: { id: id! }, body }))
    return goDone(visit, `${visit.base}/customers/${encodeURIComponent(id!)}`, 'saved')
  },
}
