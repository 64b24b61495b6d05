import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { csvLine } from '../../../format/csv.ts'
import { currencyCode } from '../../../format/money.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { inSentence } from '../../../format/sentences.ts'
import { type Column, dataTable, type Fact, factList, type Page, type Sort } from '../../parts/markup.ts'
import { downloadAnswer, framed, goTo } from '../kit/answers.ts'
import { rowLink } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, withQuery } from '../kit/visit.ts'
import { COUNT, change, moneyUnit, plot, simulatedNote } from '../plots/plot.ts'
import { momentOf } from '../recover/failure-card.ts'
import {
  askedBy,
  DIMENSIONS,
  picker,
  queryOf,
  type Report,
  type ReportRequest,
  reportFor,
  type Sold,
  segments,
  soldIn,
} from './asked.ts'
import {
  daysText,
  dayText,
  type Figure,
  figureText,
  inCurrency,
  lineFigures,
  movementFigures,
  paidWithin,
  plainFigure,
  pointFigures,
  type ReportRow,
  TITLES,
  tickText,
} from './columns.ts'

const MONEY: readonly HeadlineFigure[] = [
  ['gross', 'Gross revenue', () => 'What buyers paid, after discounts, with tax.'],
  ['refunds', 'Refunds'],
  ['tax', 'Tax'],
  ['net', 'Net revenue', () => 'Gross minus refunds and tax.'],
  ['average_order', 'Average order', averageOf],
  ['discounts', 'Discounts given'],
]
const COUNTS: readonly HeadlineFigure[] = [
  ['orders', 'Orders', ordersOf],
  ['new_buyers', 'New buyers', () => 'Their first order in this currency.'],
  ['returning_buyers', 'Returning buyers'],
]

export const reportCsvPage: DashboardPage = {
  path: '/reports.csv',
  get: async (visit) => {
    const asked = askedBy(visit, await momentOf(visit))
    const found = await reportFor(visit, asked)
    if ('problem' in found) return goTo(`${visit.base}/reports?${visit.query}`)
    const { report } = found
    const table = TABLES.find((name) => name === visit.query.get('table')) ?? 'points'
    const sold = soldIn(report, asked)
    const name = `report-${table === 'rows' ? asked.by : table}-${report.from}-${report.to}.csv`
    return downloadAnswer(sold ? linesOf(visit, asked, report, sold, table) : '', name, 'text/csv; charset=utf-8')
  },
}

export const reportPage: DashboardPage = {
  path: '/reports',
  see: 'sales.read',
  get: async (visit) => {
    const asked = askedBy(visit, await momentOf(visit))
    const found = await reportFor(visit, asked)
    const lead =
      'By the day of payment, in the account’s time zone. Refunds are taken off the day on which the order was paid.'
    const title = 'Reports'
    if ('problem' in found) {
      const content = html`${picker(visit, asked)}<p class="notice bad" role="alert">${inSentence(found.problem)}</p>`
      return framed(visit, { title, lead, status: 422 }, content)
    }
    return framed(visit, { title, lead }, html`${picker(visit, asked)}${figures(visit, asked, found.report)}`)
  },
}

function figures(visit: DashboardContext, asked: ReportRequest, report: Report): Page {
  const sold = soldIn(report, asked)
  if (!sold)
    return html`<div class="empty"><p>Nothing was sold from ${daysText(report).replace(' to ', ' until ')}.</p></div>`
  return html`${currencies(visit, asked, report, sold)}${headline(report, sold)}${simulatedNote(sold)}
<div class="plot-cards">${revenueChart(visit, report, sold)}${recurringChart(report, sold)}</div>
${tables(visit, asked, report, sold)}`
}

/** Renders the choice of a currency, because amounts in different currencies are never added up. */
function currencies({ path }: DashboardContext, asked: ReportRequest, { currencies: all }: Report, sold: Sold): Page {
  if (all.length < 2) return html``
  const choices = all.map(({ currency }) => ({
    words: currencyCode(currency),
    address: withQuery(path, queryOf(asked, { currency })),
    chosen: currency === sold.currency,
  }))
  return segments('Currency', choices)
}

function revenueChart({ base, account }: DashboardContext, report: Report, { currency, points }: Sold): Page {
  const unit = moneyUnit(currency)
  const drawn = points.map((point) => ({
    tick: tickText(report, point),
    label: daysText(point),
    value: point.net,
    ...(point.orders > 0 && {
      address: withQuery(`${base}/orders`, { ...paidWithin(account.timezone, point), currency }),
    }),
  }))
  const title = inCurrency('Net revenue', currency)
  return html`<section class="card plot-card" aria-labelledby="net-heading"><h2 id="net-heading">${title} by ${report.interval}</h2>
${plot({ id: 'net', title, shape: 'bars', points: drawn, unit, of: TITLES[report.interval] })}
<p class="figure-note">Select a bar to see its orders.</p></section>`
}

function recurringChart(report: Report, { currency, recurring: { points, end } }: Sold): Page {
  if (end === 0 && points.every((point) => point.end === 0)) return html``
  const drawn = points.map((point) => ({ tick: tickText(report, point), label: daysText(point), value: point.end }))
  const title = inCurrency('Monthly recurring revenue', currency)
  return html`<section class="card plot-card" aria-labelledby="recurring-heading"><h2 id="recurring-heading">${title}</h2>
${plot({ id: 'recurring', title, shape: 'course', points: drawn, unit: moneyUnit(currency), of: TITLES[report.interval] })}
<p class="figure-note">What paying subscriptions are charged per month, before discounts.</p></section>`
}

function linesOf(visit: DashboardContext, asked: ReportRequest, report: Report, sold: Sold, table: TableName): string {
  switch (table) {
    case 'rows':
      return csvOf(visit, table, lineFigures(asked.by), sold.rows, sold)
    case 'points':
      return csvOf(visit, table, datedBy(pointFigures(report)), sold.points, sold)
    case 'recurring':
      return csvOf(visit, table, datedBy(movementFigures(report)), sold.recurring.points, sold)
  }
}

/** Replaces the first figure, which is the days in words, with two ISO dates. */
function datedBy<Row extends { from: string; to: string }>(figures: Figure<Row>[]): Figure<Row>[] {
  return [
    { name: 'from', words: 'From', kind: 'text', of: ({ from }) => from },
    { name: 'to', words: 'To', kind: 'text', of: ({ to }) => to },
    ...figures.slice(1),
  ]
}

function csvOf<Row>(
  visit: DashboardContext,
  table: TableName,
  figures: readonly Figure<Row>[],
  rows: readonly Row[],
  { currency, simulated_orders }: Sold,
): string {
  const lines = sorted(rows, sortOf(visit, table, figures)).map((row) =>
    csvLine([...figures.map((figure) => plainFigure(figure, row, currency)), currency, String(simulated_orders)]),
  )
  return [csvLine([...figures.map(({ name }) => name), 'currency', 'simulated_orders_in_report']), ...lines].join('')
}

type Total = Sold['total']
type FigureName = Exclude<keyof Total, 'free_orders'>
/** A figure with its label, and with a hint if the label does not explain the figure. */
type HeadlineFigure = readonly [name: FigureName, words: string, hint?: (total: Total) => string]

function averageOf({ orders, free_orders: free }: Total): string {
  return `Gross revenue divided by ${counted(orders - free, 'order')} that cost something.`
}

function ordersOf({ orders, free_orders: free }: Total): string {
  return free === 0
    ? 'Paid orders, refunded ones too.'
    : `${formatNumber(orders - free)} paid, refunded ones too, and ${formatNumber(free)} free.`
}

function headline(report: Report, { currency, total, before, recurring }: Sold): Page {
  const money = moneyUnit(currency)
  const fact = (unit: typeof money, [words, value, then, start = '']: ComparedFigure, hint = ''): Fact => {
    const compared = then === null ? '' : change(value, then, unit, start)
    const note = html`${hint === '' ? '' : html`<span class="figure-hint">${hint}</span> `}${compared}`
    return [words, unit.text(value), { kind: 'report-figure', note: { kind: 'tile-note', words: note } }]
  }
  const figure = (unit: typeof money, [name, words, hint]: HeadlineFigure) =>
    fact(unit, [words, total[name], before?.[name] ?? null], hint?.(total))
  const [start, end] = [recurring.start, recurring.end]
  return html`${comparedWith(report)}${factList('report-figures', [
    ...MONEY.map((line) => figure(money, line)),
    ...COUNTS.map((line) => figure(COUNT, line)),
    (start > 0 || end > 0) && fact(money, ['Monthly recurring revenue', end, start, 'the start of these days']),
  ])}`
}

type ComparedFigure = [words: string, value: number, then: number | null, start?: string]

function comparedWith({ before_from: from, before_to: to }: Report): Page {
  if (from === null || to === null) return html``
  const days = from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
  return html`<p class="report-compared">Compared with ${days}</p>`
}

/** The names of the tables, which the query parameters `table` and `sort` contain. */
const TABLES = ['rows', 'points', 'recurring'] as const
type TableName = (typeof TABLES)[number]

/** Shows all figures in tables. Intervals without orders are only in the CSV file. */
function tables(visit: DashboardContext, asked: ReportRequest, report: Report, sold: Sold): Page {
  const choices = Object.entries(DIMENSIONS).map(([by, words]) => ({
    words,
    address: `${withQuery(visit.path, { ...queryOf(asked), by })}#rows`,
    chosen: by === asked.by,
  }))
  const shown = { visit, asked, currency: sold.currency }
  const days = sold.points.filter(({ orders }) => orders > 0)
  const moved = sold.recurring.points.filter(({ from: _, to: __, end: ___, ...movement }) =>
    Object.values(movement).some((amount) => amount > 0),
  )
  return html`${tableSection(shown, 'rows', `By ${DIMENSIONS[asked.by].toLowerCase()}`, lineFigures(asked.by), sold.rows, segments('Split by', choices), ordersAddress(visit, asked, report, sold))}
${tableSection(shown, 'points', `By ${report.interval}`, pointFigures(report), days.toReversed())}
${moved.length > 0 ? tableSection(shown, 'recurring', 'Monthly recurring revenue', movementFigures(report), moved.toReversed()) : ''}`
}

/** The query parameter that filters the list of orders by each dimension. */
const FILTERS = { product: 'product', price: 'price_variant', country: 'country', channel: 'channel' } as const

/** Returns a function for a row's link to its orders; null for rows that combine several values or have none. */
function ordersAddress({ base, account }: DashboardContext, { by }: ReportRequest, report: Report, { currency }: Sold) {
  const within = { ...paidWithin(account.timezone, report), currency }
  return ({ key }: ReportRow) => (key === null ? null : withQuery(`${base}/orders`, { [FILTERS[by]]: key, ...within }))
}

function tableSection<Row>(
  { visit, asked, currency }: { visit: DashboardContext; asked: ReportRequest; currency: string },
  table: TableName,
  title: string,
  figures: Figure<Row>[],
  rows: readonly Row[],
  above: Page = html``,
  addressOf: (row: Row) => string | null = () => null,
): Page {
  const sort = sortOf(visit, table, figures)
  const csv = withQuery(`${visit.base}/reports.csv`, { ...queryOf(asked, { currency, table }), sort: sort?.text ?? '' })
  const columns = figures.map(
    (figure, place): Column<Row> => ({
      words: figure.words,
      sort: sortBy(visit, asked, table, figure, sort),
      cell: (row) => linkIfAddress(figureText(figure, row, currency), place === 0 ? addressOf(row) : null),
      end: figure.kind !== 'text',
    }),
  )
  return html`<section class="related" aria-labelledby="${table}"><div class="report-head"><h2 id="${table}">${title}</h2>${above}
<a class="button" href="${csv}" data-turbo="false">Export<span class="unseen"> ${title.toLowerCase()} as CSV</span></a></div>
<div class="report-table">${dataTable({ caption: title, columns, rows: sorted(rows, sort) })}</div></section>`
}

function linkIfAddress(words: string, address: string | null): Page | string {
  return address === null ? words : rowLink(address, words)
}

interface Sorting<Row> {
  figure: Figure<Row>
  isDown: boolean
  text: string
}

/** Returns the figure by which a table is sorted, from `sort=rows-net` or, highest first, `sort=-rows-net`. */
function sortOf<Row>(
  { query }: DashboardContext,
  table: TableName,
  figures: readonly Figure<Row>[],
): Sorting<Row> | null {
  const text = query.get('sort') ?? ''
  const figure = figures.find(({ name }) => text === `${table}-${name}` || text === `-${table}-${name}`)
  return figure ? { figure, isDown: text.startsWith('-'), text } : null
}

/** Returns a link that sorts a table by the figure, highest first. A second click reverses the order. */
function sortBy<Row>(
  { path }: DashboardContext,
  asked: ReportRequest,
  table: TableName,
  { name }: Figure<Row>,
  sort: Sorting<Row> | null,
): Sort {
  const isSame = sort?.figure.name === name
  const down = isSame && sort.isDown ? '' : '-'
  const address = withQuery(path, { ...queryOf(asked), sort: `${down}${table}-${name}` })
  return { address: `${address}#${table}`, now: isSame ? (sort.isDown ? 'descending' : 'ascending') : null }
}

function sorted<Row>(rows: readonly Row[], sort: Sorting<Row> | null): readonly Row[] {
  if (!sort) return rows
  const { figure, isDown } = sort
  const ascending = rows.toSorted((one, other) => compared(figure.of(one) ?? '', figure.of(other) ?? ''))
  return isDown ? ascending.toReversed() : ascending
}

function compared(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en')
}
