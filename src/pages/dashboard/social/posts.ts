import { html } from 'hono/html'
import { formatMoment } from '../../../words/moments.ts'
import type { Page } from '../../parts/document.ts'
import { type Column, dataTable } from '../../parts/table.ts'
import { refusalOf, type Values } from '../kit/ask.ts'
import { shortened } from '../kit/labels.ts'
import { badge, reference } from '../kit/value.ts'
import { view } from '../kit/view.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'

interface Target {
  social_account: Values | string
  platform: string
  status: string
  platform_url: string | null
  error_message: string | null
  published_at: string | null
}

/** What came of a post on each of its accounts. Where one failed, the post can be tried again. */
async function targets(visit: Visit, { id, status }: Values): Promise<Page | null> {
  const answer = await visit.askAny('GET', `/social_posts/${String(id)}/targets`, { query: { limit: 50 } })
  if (refusalOf(answer)) return null
  const rows = (answer.body as unknown as { data: Target[] }).data
  if (rows.length === 0) return null
  const handles = await accountsOf(visit)
  const handleOf = (target: Target) => handles.find(({ id }) => id === idOf(target)) ?? target.social_account
  const columns: Column<Target>[] = [
    {
      words: 'Account',
      cell: (target) => html`${valueTitle(target.platform)} ${reference(visit, 'social_account', handleOf(target))}`,
    },
    { words: 'State', cell: (target) => badge(target.status) },
    { words: 'Outcome', cell: (target) => outcome(visit, target) },
  ]
  const table = dataTable({ caption: 'Outcome on each account', columns, rows })
  const content = html`<section class="related" aria-labelledby="targets"><h2 id="targets">On each account</h2>${table}</section>`
  return status === 'publishing'
    ? html`<turbo-frame id="targets-frame" data-controller="refresh">${content}</turbo-frame>`
    : html`<turbo-frame id="targets-frame" target="_top">${content}</turbo-frame>`
}

function outcome({ account }: Visit, { platform_url: url, error_message: error, published_at: at }: Target): Page {
  const words = error ?? (at ? formatMoment(at, account.timezone) : '')
  const isAddress = url && /^https?:/.test(url)
  return html`${words}${isAddress ? html` <a href="${url}" rel="noreferrer noopener" data-turbo="false">Open</a>` : ''}`
}

function idOf({ social_account: account }: Target): string {
  return typeof account === 'string' ? account : String(account.id)
}

/** The accounts of the shop, by which a target shows the name of its own. */
async function accountsOf(visit: Visit): Promise<Values[]> {
  const answer = await visit.askAny('GET', '/social_accounts', { query: { limit: 100 } })
  return refusalOf(answer) ? [] : (answer.body as unknown as { data: Values[] }).data
}

export const postView = view('social_post', {
  columns: ['content', 'status', 'scheduled_at', 'published_at', 'created_at'],
  lead: 'Posts for your social accounts.',
  title: ({ content }) => shortened(String(content ?? 'Pictures without text'), 60),
  without: ['status', 'metadata', 'timezone'],
  sections: [targets],
  listLinks: ({ base }) => html`<a class="button" href="${base}/social">Calendar</a>`,
})
