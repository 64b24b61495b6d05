import { html } from 'hono/html'
import { formatMoment } from '../../../../format/moments.ts'
import { refusalOf, rowsIn } from '../../../../pages/dashboard/kit/call.ts'
import { badge, reference } from '../../../../pages/dashboard/kit/value.ts'
import { type DashboardContext, type Viewed, view } from '../../../../pages/dashboard/kit/visit.ts'
import { shortened } from '../../../../pages/dashboard/kit/words.ts'
import { type Column, dataTable, type Page } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import { consentOf } from './post-options.ts'

type Target = Shown<'social_post_target'>

/** Shows a warning if a scheduled post has become invalid, for example because its network now requires a choice. */
async function problemNotice(visit: DashboardContext, post: Viewed<'social_post'>): Promise<Page | null> {
  if (post.status !== 'scheduled') return null
  const { content, link_url, first_comment, overrides } = post
  const [media, social_accounts] = [post.media.map(idOf), post.social_accounts.map(idOf)]
  const answer = await visit.call('POST /social_posts/validate', {
    body: { content, link_url, first_comment, overrides, media, social_accounts },
  })
  if (refusalOf(answer) || answer.body.valid) return null
  const problems = [...new Set(answer.body.results.flatMap(({ errors }) => errors))]
  return html`<section class="notice bad"><h2>It will not go out as it is</h2><ul class="fits">${problems.map((one) => html`<li>${one}</li>`)}</ul></section>`
}

function idOf(one: string | { id: string }): string {
  return typeof one === 'string' ? one : one.id
}

/** Shows the post's result on each account, with a button that retries a failed one. */
async function targets(visit: DashboardContext, { id, status }: Viewed<'social_post'>): Promise<Page | null> {
  const { rows } = rowsIn(await visit.call('GET /social_posts/{id}/targets', { path: { id }, query: { limit: 50 } }))
  if (rows.length === 0) return null
  const handles = await accountsOf(visit)
  const handleOf = ({ social_account: account }: Target) => handles.find(({ id }) => id === account) ?? account
  const columns: Column<Target>[] = [
    {
      words: 'Account',
      cell: (target) => reference(visit, 'social_account', handleOf(target)),
    },
    { words: 'State', cell: (target) => badge(target.status) },
    { words: 'Outcome', cell: (target) => targetResult(visit, target) },
  ]
  const table = dataTable({ caption: 'Outcome on each account', columns, rows })
  const content = html`<section class="related" aria-labelledby="targets"><h2 id="targets">On each account</h2>${table}</section>`
  return status === 'publishing'
    ? html`<turbo-frame id="targets-frame" data-controller="refresh">${content}</turbo-frame>`
    : html`<turbo-frame id="targets-frame" target="_top">${content}</turbo-frame>`
}

function targetResult(
  { account }: DashboardContext,
  { platform_url: url, error_message: error, published_at: at }: Target,
): Page {
  const words = error ?? (at ? formatMoment(at, account.timezone) : '')
  const isAddress = url && /^https?:/.test(url)
  return html`${words}${isAddress ? html` <a href="${url}" rel="noreferrer noopener" data-turbo="false">Open</a>` : ''}`
}

/** Returns the shop's accounts, to show their names. */
async function accountsOf(visit: DashboardContext): Promise<Shown<'social_account'>[]> {
  return rowsIn(await visit.call('GET /social_accounts', { query: { limit: 100 } })).rows
}

export const postView = view('social_post', {
  bulk: [{ name: 'retry', button: 'Retry', method: 'post', below: '/retry' }],
  columns: ['content', 'status', 'scheduled_at', 'published_at', 'created_at'],
  lead: 'Posts for your social accounts.',
  title: ({ content }) => shortened(content ?? 'Pictures without text', 60),
  without: ['status', 'metadata', 'timezone'],
  above: [problemNotice],
  sections: [targets],
  // The page offers no action for rescheduling, because the edit form does this.
  allowed: ({ status, allowed_actions: actions }) =>
    actions.filter((name) => !(name === 'schedule' && status === 'scheduled')),
  actions: {
    publish: {
      button: 'Publish now',
      lead: (_, { overrides }) => html`It is sent to all of its accounts at once. ${consentOf(overrides)}`,
    },
    schedule: { button: 'Schedule', lead: (_, { overrides }) => consentOf(overrides) ?? '' },
    unschedule: {
      button: 'Back to draft',
      lead: () => 'It is taken off the calendar, and is not published until you schedule or publish it.',
    },
  },
  listLinks: ({ base }) => html`<a class="button" href="${base}/social">Calendar</a>`,
})
