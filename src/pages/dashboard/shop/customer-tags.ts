import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { RefusedError, rowsOf, type Values, type Visit } from '../kit/visit.ts'

/** Tags to choose from with boxes; others are added by name. */
const MOST = 100

/** The tags of a customer, to set. */
export async function tagsOf(visit: Visit, customer: Values): Promise<Page> {
  const { rows } = await rowsOf(visit.ask('GET', '/tags', { query: { limit: MOST } }))
  const own = (customer.tags ?? []) as (Values | string)[]
  const ownIds = new Set(own.map((tag) => String(typeof tag === 'object' ? tag.id : tag)))
  const known = new Set(rows.map(({ id }) => String(id)))
  const all = [...own.filter((tag): tag is Values => typeof tag === 'object' && !known.has(String(tag.id))), ...rows]
  const boxes = all.map(
    ({ id, name }) =>
      html`<label class="shop-check"><input type="checkbox" name="tag" value="${String(id)}"${ownIds.has(String(id)) ? html` checked` : ''}> ${String(name)}</label>`,
  )
  return html`<section class="card" aria-labelledby="tags"><h2 id="tags">Tags</h2>
<form class="tag-form" method="post" action="${visit.base}/customers/${encodeURIComponent(String(customer.id))}/set-tags"><input type="hidden" name="csrf" value="${visit.csrf}">
<fieldset class="shop-checks"><legend class="unseen">Tags of this customer</legend>${boxes}</fieldset>
<div class="inline"><div class="filter"><label for="new-tag">New tag</label><input id="new-tag" name="new" maxlength="100" autocomplete="off"></div><button>Save tags</button></div></form></section>`
}

export const setTags: DashboardPage = {
  path: '/customers/:id/set-tags',
  post: async (visit, { id }, form) => {
    const own = `/customers/${encodeURIComponent(id!)}`
    const added = form.get('new')?.trim()
    const body = { tags: [...form.getAll('tag'), ...(added ? [added] : [])], mode: 'replace' }
    const answer = await visit.ask('POST', `${own}/tags`, { body })
    if (answer.status >= 400) throw new RefusedError(answer)
    return goDone(visit, `${visit.base}${own}`, 'saved')
  },
}
