import { html } from 'hono/html'
import { addDays, isDay } from '../../../contract/values/days.ts'
import { readingAt } from '../../../contract/values/wall-clock.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { optionTags, type Page } from '../../parts/markup.ts'
import { foldedFilters } from '../derived/filters.ts'
import { sentenceOf } from '../derived/problem-words.ts'
import { refusalOf } from '../kit/call.ts'
import { type DashboardContext, withQuery } from '../kit/visit.ts'

export type Report = Shown<'report'>
export type Sold = Report['currencies'][number]

/** The ranges that people can choose. The range `own` takes its days from the page's address. */
const RANGES = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  last_month: 'Last month',
  quarter: 'This quarter',
  year: 'This year',
  own: 'Own dates',
} as const
type RangeName = keyof typeof RANGES

const COMPARED = { previous: 'The days before', year: 'The same days a year before', none: 'Nothing' } as const
const INTERVALS = { '': 'Automatic', day: 'Day', week: 'Week', month: 'Month' } as const
export const DIMENSIONS = { product: 'Product', price: 'Price', country: 'Country', channel: 'Channel' } as const
export type Dimension = keyof typeof DIMENSIONS

export interface ReportRequest {
  range: RangeName
  from: string
  to: string
  compare: keyof typeof COMPARED
  interval: keyof typeof INTERVALS
  by: Dimension
  /** The chosen currency. Null means the account's currency, if it has sales, or else the first one with sales. */
  currency: string | null
}

/** Returns the report that the page's address asks for. `now` is the account's time in ms. */
export function askedBy({ query, account }: DashboardContext, now: number): ReportRequest {
  const today = new Date(readingAt(account.timezone, now)).toISOString().slice(0, 10)
  const [first, last] = [query.get('from') ?? '', query.get('to') ?? '']
  const named = oneOf(RANGES, query.get('range'), isDay(first) && isDay(last) ? 'own' : '30d')
  const range = named === 'own' && !(isDay(first) && isDay(last)) ? '30d' : named
  const days = range === 'own' ? { from: first, to: last } : daysOf(range, today)
  return {
    range,
    ...days,
    compare: oneOf(COMPARED, query.get('compare'), 'previous'),
    interval: oneOf(INTERVALS, query.get('interval'), ''),
    by: oneOf(DIMENSIONS, query.get('by'), 'product'),
    currency: query.get('currency'),
  }
}

function oneOf<Name extends string>(all: Record<Name, string>, given: string | null, usual: Name): Name {
  return (Object.keys(all) as Name[]).find((name) => name === given) ?? usual
}

/** Returns the first and last day of a range. The current month, quarter and year end today. */
function daysOf(range: Exclude<RangeName, 'own'>, today: string): { from: string; to: string } {
  const month = `${today.slice(0, 7)}-01`
  switch (range) {
    case 'today':
      return { from: today, to: today }
    case '7d':
      return { from: addDays(today, -6), to: today }
    case '30d':
      return { from: addDays(today, -29), to: today }
    case 'month':
      return { from: month, to: today }
    case 'last_month': {
      const last = addDays(month, -1)
      return { from: `${last.slice(0, 7)}-01`, to: last }
    }
    case 'quarter':
      return { from: `${today.slice(0, 5)}${quarterMonth(today)}-01`, to: today }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
  }
}

function quarterMonth(day: string): string {
  const month = Number(day.slice(5, 7))
  return String(month - ((month - 1) % 3)).padStart(2, '0')
}

export async function reportFor(
  visit: DashboardContext,
  asked: ReportRequest,
): Promise<{ report: Report } | { problem: string }> {
  const { from, to, compare, by, interval } = asked
  const query = { from, to, compare, by, ...(interval !== '' && { interval }) }
  const answer = await visit.call('GET /reports', { query })
  const refusal = refusalOf(answer)
  return refusal ? { problem: sentenceOf(refusal.message) } : { report: answer.body }
}

/** Returns the figures in the chosen currency, or in the first one with sales. */
export function soldIn({ currencies }: Report, { currency }: ReportRequest): Sold | undefined {
  return currencies.find((one) => one.currency === currency) ?? currencies[0]
}

/** Returns the query of a report's address. Default values become empty, because `withQuery` leaves out empty values. */
export function queryOf(
  asked: ReportRequest,
  changes: Partial<Record<keyof ReportRequest | 'sort' | 'table', string>> = {},
) {
  const { range, from, to, compare, interval, by, currency } = asked
  const all = {
    range: range === '30d' ? '' : range,
    ...(range === 'own' && { from, to }),
    compare: compare === 'previous' ? '' : compare,
    interval,
    by: by === 'product' ? '' : by,
    currency: currency ?? '',
  }
  return { ...all, ...changes }
}

export function segments(label: string, choices: readonly { words: string; address: string; chosen: boolean }[]): Page {
  const links = choices.map(
    ({ words, address, chosen }) =>
      html`<li><a class="segment" href="${address}"${chosen ? html` aria-current="true"` : ''}>${words}</a></li>`,
  )
  return html`<nav class="segments report-segments" aria-label="${label}"><ul>${links}</ul></nav>`
}

export function picker({ path }: DashboardContext, asked: ReportRequest): Page {
  const ranges = Object.entries(RANGES).filter(([range]) => range !== 'own')
  const choices = ranges.map(([range, words]) => ({
    words,
    address: withQuery(path, queryOf({ ...asked, range: range as ReportRequest['range'] })),
    chosen: range === asked.range,
  }))
  const { by, currency } = queryOf(asked)
  const form = html`<form class="filters" method="get" aria-label="Days of the report">
<input type="hidden" name="range" value="own"><input type="hidden" name="by" value="${by}"><input type="hidden" name="currency" value="${currency}">
<div class="filter"><label for="r-from">From</label><input type="date" id="r-from" name="from" value="${asked.from}" required></div>
<div class="filter"><label for="r-to">To</label><input type="date" id="r-to" name="to" value="${asked.to}" required></div>
${choice('compare', 'Compare with', COMPARED, asked.compare)}${choice('interval', 'Grouped by', INTERVALS, asked.interval)}
<div class="filter-buttons"><button>Apply</button></div></form>`
  return html`${segments('Range', choices)}${foldedFilters(form, { words: 'Dates and comparison', set: 0, isEmpty: false })}`
}

function choice(name: string, label: string, values: Readonly<Record<string, string>>, given: string): Page {
  return html`<div class="filter"><label for="r-${name}">${label}</label><select class="report-choice" id="r-${name}" name="${name}">${optionTags(Object.entries(values), given)}</select></div>`
}
