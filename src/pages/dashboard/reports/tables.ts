import { html } from 'hono/html'
import { type Column, dataTable, type Page, type Sort } from '../../parts/markup.ts'
import { type DashboardContext, withQuery } from '../kit/visit.ts'
import { DIMENSIONS, queryOf, type Report, type ReportRequest, type Sold, segments } from './asked.ts'
import {
  type Figure,
  figureText,
  lineFigures,
  movementFigures,
  paidWithin,
  pointFigures,
  type ReportRow,
} from './columns.ts'

/** The names of the tables, which the query parameters `table` and `sort` contain. */
export const TABLES = ['rows', 'points', 'recurring'] as const
export type TableName = (typeof TABLES)[number]

/** Shows all figures in tables. Intervals without orders are only in the CSV file. */
export function tables(visit: DashboardContext, asked: ReportRequest, report: Report, sold: Sold): Page {
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
  return html`${tableSection(shown, 'rows', `By ${DIMENSIONS[asked.by].toLowerCase()}`, lineFigures(asked.by), sold.rows, segments('Split by', choices), ordersOf(visit, asked, report, sold))}
${tableSection(shown, 'points', `By ${report.interval}`, pointFigures(report), days.toReversed())}
${moved.length > 0 ? tableSection(shown, 'recurring', 'Monthly recurring revenue', movementFigures(report), moved.toReversed()) : ''}`
}

/** The query parameter that filters the list of orders by each dimension. */
const FILTERS = { product: 'product', price: 'price_variant', country: 'country', channel: 'channel' } as const

/** Returns a function for a row's link to its orders; null for rows that combine several values or have none. */
function ordersOf({ base, account }: DashboardContext, { by }: ReportRequest, report: Report, { currency }: Sold) {
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
  return address === null ? words : html`<a class="row-link" href="${address}">${words}</a>`
}

interface Sorting<Row> {
  figure: Figure<Row>
  isDown: boolean
  text: string
}

/** Returns the figure by which a table is sorted, from `sort=rows-net` or, highest first, `sort=-rows-net`. */
export function sortOf<Row>(
  { query }: DashboardContext,
  table: TableName,
  figures: readonly Figure<Row>[],
): Sorting<Row> | null {
  const text = query.get('sort') ?? ''
  const figure = figures.find(({ name }) => text === `${table}-${name}` || text === `-${table}-${name}`)
  return figure ? { figure, isDown: text.startsWith('-'), text } : null
}

/** The link sorts by the figure, highest first. A second click reverses the order. */
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

export function sorted<Row>(rows: readonly Row[], sort: Sorting<Row> | null): readonly Row[] {
  if (!sort) return rows
  const { figure, isDown } = sort
  const ascending = rows.toSorted((one, other) => compared(figure.of(one) ?? '', figure.of(other) ?? ''))
  return isDown ? ascending.toReversed() : ascending
}

function compared(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en')
}
