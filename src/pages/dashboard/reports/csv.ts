import { csvLine } from '../../../words/csv.ts'
import { downloadAnswer, goTo } from '../kit/answers.ts'
import type { DashboardPage, Visit } from '../kit/visit.ts'
import { momentOf } from '../recover/words.ts'
import { type Asked, askedBy, type Report, reportFor, type Sold, soldIn } from './asked.ts'
import { type Figure, lineFigures, movementFigures, plainFigure, pointFigures } from './columns.ts'
import { sorted, sortOf, TABLES, type TableName } from './tables.ts'

/** A table of the report as CSV, with the same figures. */
export const reportCsv: DashboardPage = {
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

function linesOf(visit: Visit, asked: Asked, report: Report, sold: Sold, table: TableName): string {
  switch (table) {
    case 'rows':
      return csvOf(visit, table, lineFigures(asked.by), sold.rows, sold)
    case 'points':
      return csvOf(visit, table, datedBy(pointFigures(report)), sold.points, sold)
    case 'recurring':
      return csvOf(visit, table, datedBy(movementFigures(report)), sold.recurring.points, sold)
  }
}

/** Programs read days as `2026-10-01`. */
function datedBy<Row extends { from: string; to: string }>(figures: Figure<Row>[]): Figure<Row>[] {
  return [
    { name: 'from', words: 'From', kind: 'text', of: ({ from }) => from },
    { name: 'to', words: 'To', kind: 'text', of: ({ to }) => to },
    ...figures.slice(1),
  ]
}

function csvOf<Row>(
  visit: Visit,
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
