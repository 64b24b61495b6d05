import { html } from 'hono/html'
import { DAY_MS, timestampOf } from '../../../../contract/values/values.ts'
import { momentOf, readingAt } from '../../../../contract/values/wall-clock.ts'
import { formatMoment, formatMonth, formatMonthName, formatTime } from '../../../../format/moments.ts'
import { framed } from '../../../../pages/dashboard/kit/answers.ts'
import { answeredRows, refusalOf, rowsIn } from '../../../../pages/dashboard/kit/call.ts'
import { ifOpen, mayOpen } from '../../../../pages/dashboard/kit/page-rights.ts'
import { badge, reference } from '../../../../pages/dashboard/kit/value.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../../../../pages/dashboard/kit/visit.ts'
import { shortened } from '../../../../pages/dashboard/kit/words.ts'
import { type Column, dataTable, type GridCell, gridTable, type Page } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import { consentOf } from './composer-form.ts'

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

/** Shows the post's result on each account, and reloads itself while the post is being published. */
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

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** The maximum number of posts that the calendar shows per month. The list of posts has all of them. */
const MOST_POSTS = 100
const MOST_DRAFTS = 10

type Post = Shown<'social_post'>

interface CalendarDay {
  /** The day in the account's time zone, such as `2026-05-31`. */
  date: string
  inMonth: boolean
  posts: Post[]
}

export const calendar: DashboardPage = {
  path: '/social',
  label: 'Social calendar',
  see: 'content.read',
  async get(visit) {
    const { timezone } = visit.account
    const today = dateIn(new Date().toISOString(), timezone)
    const given = visit.query.get('month') ?? ''
    const month = /^20\d\d-(0[1-9]|1[0-2])$/.test(given) ? given : today.slice(0, 7)
    const [days, drafts] = await Promise.all([daysOf(visit, month), draftsOf(visit)])
    const title = monthWords(month)
    const at = (steps: number) => `${visit.path}?month=${monthAfter(month, steps)}`
    const actions = html`<a class="button" href="${visit.base}/social/analytics">Analytics</a>${ifOpen(visit, '/social_posts/new', html`<a class="button primary" href="${visit.base}/social_posts/new">New post</a>`)}`
    const content = html`<nav class="months" aria-label="Months"><a class="button" href="${at(-1)}" aria-label="${monthWords(monthAfter(month, -1))}">${monthName(monthAfter(month, -1))}</a><h2>${title}</h2><a class="button" href="${at(1)}" aria-label="${monthWords(monthAfter(month, 1))}">${monthName(monthAfter(month, 1))}</a></nav>
${weeks(visit, days, today, title)}${draftList(visit, drafts)}`
    const lead = 'What is published on your social accounts, and when.'
    return framed(visit, { title: 'Social calendar', lead, actions }, content)
  },
}

async function daysOf(visit: DashboardContext, month: string): Promise<CalendarDay[]> {
  const { timezone } = visit.account
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const lead = (new Date(first).getUTCDay() + 6) % 7
  const start = first - lead * DAY_MS
  const next = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`)
  const count = Math.ceil((next - start) / (7 * DAY_MS)) * 7
  const moment = (reading: number) => timestampOf(new Date(momentOf(timezone, reading)))
  const posts = await postsBetween(visit, moment(start), moment(start + count * DAY_MS))
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return {
      date,
      inMonth: date.startsWith(month),
      posts: posts.filter((post) => dateIn(timeOf(post), timezone) === date),
    }
  })
}

/**
 * Returns the posts of a range of days, ordered by time: when they are scheduled, otherwise when they were published or, if they
 * were not, created.
 */
async function postsBetween(visit: DashboardContext, from: string, until: string): Promise<Post[]> {
  const planned = answeredRows(
    visit.call('GET /social_posts', { query: { scheduled_after: from, scheduled_before: until, limit: MOST_POSTS } }),
  )
  const newest = answeredRows(
    visit.call('GET /social_posts', { query: { created_at: { lt: until }, limit: MOST_POSTS } }),
  )
  const all = [
    ...(await planned).rows,
    ...(await newest).rows.filter(({ scheduled_at, status }) => scheduled_at === null && status !== 'draft'),
  ]
  const within = all.filter((post) => timeOf(post) >= from && timeOf(post) < until)
  return within.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)))
}

function draftsOf(visit: DashboardContext): Promise<{ rows: Post[]; more: boolean }> {
  return answeredRows(visit.call('GET /social_posts', { query: { status: 'draft', limit: MOST_DRAFTS } }))
}

function draftList({ base }: DashboardContext, { rows, more }: { rows: Post[]; more: boolean }): Page {
  if (rows.length === 0) return html``
  const items = rows.map(
    ({ id, content }) => html`<li><a href="${base}/social_posts/${id}">${shortened(content ?? 'Media', 60)}</a></li>`,
  )
  return html`<section class="card" aria-labelledby="drafts"><h2 id="drafts">Drafts</h2><p class="hint">Drafts are not published until you schedule or publish them.</p><ul class="plain-list">${items}</ul>${
    more ? html`<p><a href="${base}/social_posts?status=draft">All drafts</a></p>` : ''
  }</section>`
}

function timeOf({ scheduled_at, published_at, created_at }: Post): string {
  return scheduled_at ?? published_at ?? created_at
}

function dateIn(timestamp: string, timeZone: string): string {
  return new Date(readingAt(timeZone, Date.parse(timestamp))).toISOString().slice(0, 10)
}

function monthAfter(month: string, steps: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + steps, 1)).toISOString().slice(0, 7)
}

/** Returns a month in words: `October 2026`. */
function monthWords(month: string): string {
  return formatMonth(`${month}-01T00:00:00Z`, 'UTC')
}

/** Returns a month without its year, such as `October`, because the year is next to it. */
function monthName(month: string): string {
  return formatMonthName(`${month}-01T00:00:00Z`, 'UTC')
}

function weeks(visit: DashboardContext, days: CalendarDay[], today: string, caption: string): Page {
  const rows = Array.from({ length: days.length / 7 }, (_, week) =>
    days.slice(week * 7, week * 7 + 7).map((day, index) => cell(visit, day, WEEKDAYS[index]!, today)),
  )
  const heads = WEEKDAYS.map(
    (day) => html`<span aria-hidden="true">${day.slice(0, 3)}</span><span class="unseen">${day}</span>`,
  )
  return gridTable({ kind: 'calendar', caption: `Posts of ${caption}`, heads, rows })
}

function cell(
  visit: DashboardContext,
  { date, inMonth, posts }: CalendarDay,
  weekday: string,
  today: string,
): GridCell {
  const kind = [inMonth ? '' : 'outside', date === today ? 'today' : '', posts.length === 0 ? 'free' : '']
    .filter(Boolean)
    .join(' ')
  const number = html`<time class="day" datetime="${date}"${date === today ? html` aria-current="date"` : ''}><span class="day-name">${weekday} </span>${Number(date.slice(8))}</time>`
  const list = posts.map((post) => {
    const words = shortened(post.content ?? 'Media', 60)
    const time = formatTime(timeOf(post), visit.account.timezone)
    return html`<li><a class="day-post" href="${visit.base}/social_posts/${post.id}"><span class="day-time">${time}</span> ${words} ${badge(post.status)}</a></li>`
  })
  const add =
    inMonth && date >= today && mayOpen(visit, '/social_posts/new')
      ? html`<a class="day-add" href="${visit.base}/social_posts/new?scheduled_at=${date}T10:00">New post<span class="unseen"> on ${date}</span></a>`
      : ''
  return { kind, content: html`${number}${posts.length > 0 ? html`<ul>${list}</ul>` : ''}${add}` }
}
