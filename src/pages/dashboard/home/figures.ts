import { html } from 'hono/html'
import { formatDayTick, formatMonth, formatMonthTick, formatShortDay } from '../../../format/moments.ts'
import { currencyCode } from '../../../format/money.ts'
import type { ValueOf } from '../../../records/dashboard-read.ts'
import { overview } from '../../../resources/dashboard/overview/overview.ts'
import { MOST_SIMULATED } from '../../../resources/dashboard/simulated-orders.ts'
import type { Page } from '../../parts/markup.ts'
import type { DashboardContext } from '../kit/visit.ts'
import { COUNT, change, moneyUnit, type PlotOptions, type Point, plot, simulatedNote } from '../plots/plot.ts'

export const RANGES = {
  '7d': { link: '7 days', before: 'the 7 days before' },
  '30d': { link: '30 days', before: 'the 30 days before' },
  '12m': { link: '12 months', before: 'the 12 months before' },
} as const satisfies Record<Overview['range'], object>

interface HomeFigure extends Omit<PlotOptions, 'of' | 'points'> {
  heading: string
  value: number
  before: number
  than: string
  values: number[]
  note?: string
}

export function figures(overview: Overview): Page {
  const all = [...salesFigures(overview), ...subscriptionFigures(overview)]
  return html`<div class="plot-cards">${all.map((one) => figure(overview, one))}</div>${simulatedNote(overview, MOST_SIMULATED)}`
}

function salesFigures({ sales, range }: Overview): HomeFigure[] {
  const than = RANGES[range].before
  const shape = 'bars'
  const orders = (of: 'now' | 'before') => sales.reduce((sum, one) => sum + one[of].orders, 0)
  const ordersAt = (place: number) => sales.reduce((sum, one) => sum + one.points[place]!.orders, 0)
  return [
    ...sales.map(({ currency, now, before, points }) => ({
      ...{ id: `revenue-${currency}`, heading: inCurrency('Net revenue', currency, sales.length) },
      ...({ title: `Net revenue in ${currencyCode(currency)}`, shape, unit: moneyUnit(currency), than } as const),
      value: now.revenue,
      before: before.revenue,
      values: points.map(({ revenue }) => revenue),
      note: 'Payments minus refunds and tax.',
    })),
    {
      ...({ id: 'orders', heading: 'Orders', title: 'Orders', shape, unit: COUNT, than } as const),
      note: 'All paid and free orders, refunded ones too.',
      value: orders('now'),
      before: orders('before'),
      values: sales[0]?.points.map((_, place) => ordersAt(place)) ?? [],
    },
  ]
}

function subscriptionFigures({ subscribers, recurring, range, interval }: Overview): HomeFigure[] {
  const than = `the start of these ${RANGES[range].link}`
  const shape = 'course'
  const running: HomeFigure = {
    ...({
      id: 'subscribers',
      heading: 'Subscriptions',
      title: 'Active subscriptions',
      shape,
      unit: COUNT,
      than,
    } as const),
    value: subscribers.points.at(-1) ?? 0,
    before: subscribers.before,
    values: subscribers.points,
    note: `Subscriptions at the end of each ${interval}, including trials and paused ones.`,
  }
  const monthly = recurring.map(({ currency, before, points }) => ({
    ...{ id: `recurring-${currency}`, heading: inCurrency('Monthly recurring revenue', currency, recurring.length) },
    ...({
      title: `Monthly recurring revenue in ${currencyCode(currency)}`,
      shape,
      unit: moneyUnit(currency),
      than,
    } as const),
    value: points.at(-1) ?? 0,
    before,
    values: points,
    note: 'What paying subscriptions are charged per month, before discounts.',
  }))
  return [...monthly, running]
}

function inCurrency(words: string, currency: string, many: number): string {
  return many > 1 ? `${words}, ${currencyCode(currency)}` : words
}

function figure(overview: Overview, { heading, value, before, than, values, note, ...drawn }: HomeFigure): Page {
  const { unit, id } = drawn
  const points = pointsOf(overview, values)
  const drawing = points.length > 0 && plot({ ...drawn, points, of: overview.interval === 'day' ? 'Day' : 'Month' })
  return html`<section class="card plot-card" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
<p class="figure-value">${unit.text(value)}</p><p class="figure-change">${change(value, before, unit, than)}</p>
${drawing || ''}${note ? html`<p class="figure-note">${note}</p>` : ''}</section>`
}

function pointsOf({ interval, starts, timezone }: Overview, values: number[]): Point[] {
  const [tick, label] = interval === 'day' ? [formatDayTick, formatShortDay] : [formatMonthTick, formatMonth]
  return values.map((value, place) => ({
    value,
    tick: tick(starts[place]!, timezone),
    label: label(starts[place]!, timezone),
  }))
}

export type Overview = ValueOf<typeof overview>

export function rangeOf({ query }: DashboardContext): Overview['range'] {
  const given = query.get('range') ?? ''
  return isRange(given) ? given : '30d'
}

function isRange(given: string): given is Overview['range'] {
  return Object.hasOwn(RANGES, given)
}

export function overviewOf(visit: DashboardContext): Promise<Overview> {
  return visit.read(
    overview,
    rangeOf(visit),
    visit.parts.features.flatMap(({ matters = [] }) => matters),
  )
}
