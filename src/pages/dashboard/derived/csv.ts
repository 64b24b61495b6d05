import type { Noun } from '../../../contract/declarations/noun.ts'
import { csvLine } from '../../../format/csv.ts'
import { plainAmount } from '../../../format/money.ts'
import { downloadAnswer } from '../kit/answers.ts'
import { answeredRows, refusalOf, type Values } from '../kit/call.ts'
import { type Manageable, pathTo } from '../kit/catalogue.ts'
import { kindOf } from '../kit/fields.ts'
import { currencyOf } from '../kit/value.ts'
import type { DashboardContext, View } from '../kit/visit.ts'
import { narrowing } from './filters.ts'

const ROWS_A_PAGE = 100
/** The maximum number of rows in one file. Exports of a whole account have no limit. */
const MOST_ROWS = 100_000

/** Streams all pages of a filtered list as CSV (RFC 4180). */
export async function listAsCsv(visit: DashboardContext, { noun, list, path }: Manageable): Promise<Response> {
  const own = visit.catalogue.viewOf(noun.name)?.csv
  const expand = own && { expand: own.expand }
  const query = { ...narrowing(visit, list!), limit: ROWS_A_PAGE, ...expand }
  const pageAfter = (after: string | undefined) =>
    answeredRows(
      visit.callAny('GET', list!.path, { query: { ...query, ...(after !== undefined && { starting_after: after }) } }),
    )
  const first = await pageAfter(undefined)
  const names = columnsOf(noun)
  const lines = async function* () {
    yield csvLine([...names, ...Object.keys(own?.columns ?? {})])
    let [{ rows, more }, count] = [first, 0]
    for (;;) {
      yield rows.map((row) => lineOf(visit, noun, names, row, own)).join('')
      count += rows.length
      if (!more || rows.length === 0 || count >= MOST_ROWS) return
      ;({ rows, more } = await pageAfter(String(rows.at(-1)!.id)))
    }
  }
  return downloadAnswer(streamOf(lines()), `${path}.csv`, 'text/csv; charset=utf-8')
}

/** Returns the rows with the given ids as CSV, without rows that no longer exist. */
export async function chosenAsCsv(
  visit: DashboardContext,
  things: Manageable,
  ids: readonly string[],
): Promise<Response> {
  const { noun, path, retrieve } = things
  const names = columnsOf(noun)
  const own = visit.catalogue.viewOf(noun.name)?.csv
  const lines = [csvLine([...names, ...Object.keys(own?.columns ?? {})])]
  for (const id of ids) {
    const answer = await visit.callAny('GET', pathTo(retrieve!, id), {
      query: { ...(own && { expand: own.expand }) },
    })
    if (refusalOf(answer) === null) lines.push(lineOf(visit, noun, names, answer.body, own))
  }
  return downloadAnswer(lines.join(''), `${path}.csv`, 'text/csv; charset=utf-8')
}

function columnsOf(noun: Noun): string[] {
  return Object.entries(noun.fields)
    .filter(
      ([name, { spec }]) =>
        spec.use !== 'input' && !['object', 'allowed_actions'].includes(name) && kindOf(spec) !== 'collection',
    )
    .map(([name]) => name)
}

function lineOf(visit: DashboardContext, noun: Noun, names: readonly string[], row: Values, own: View['csv']): string {
  const more = Object.values(own?.columns ?? {}).map((text) => text(row))
  return csvLine([...names.map((name) => text(visit, noun, row, name)), ...more])
}

function text(visit: DashboardContext, noun: Noun, values: Values, name: string): string {
  const value = values[name]
  if (value === null || value === undefined) return ''
  // References that were expanded for other columns are written as ids.
  if (noun.fields[name]!.spec.relation && typeof value === 'object' && 'id' in value) return String(value.id)
  if (kindOf(noun.fields[name]!.spec) === 'money') return plainAmount(Number(value), currencyOf(values, visit))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
