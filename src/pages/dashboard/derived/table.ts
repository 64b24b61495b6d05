import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { type Choice, type Column, dataTable, type Page, type Sort } from '../../parts/markup.ts'
import type { Values } from '../kit/call.ts'
import type { Manageable } from '../kit/catalogue.ts'
import { kindOf } from '../kit/fields.ts'
import { rowLink, shownValue } from '../kit/value.ts'
import { addressOf, type Cell, type DashboardContext, type View } from '../kit/visit.ts'
import { fieldTitle, nameField, nameOf } from '../kit/words.ts'

/** The maximum number of columns in addition to the name and the time. */
const MOST_COLUMNS = 4
const WORTH_A_COLUMN = new Set(['choice', 'money', 'reference', 'flag', 'number', 'email', 'moment'])
/** Fields that never become columns, because they do not help people to find a row. */
const SKIPPED = new Set(['id', 'object', 'created_at', 'updated_at', 'currency', 'slug', 'position', 'allowed_actions'])

interface TableOptions {
  noun: Noun
  columns: readonly string[]
  rows: Values[]
  cells?: Record<string, Cell> | undefined
  caption: string
  picture?: ((visit: DashboardContext, values: Values) => Page) | undefined
  sortBy?: ((column: string) => Sort | undefined) | undefined
  choice?: Choice<Values> | undefined
}

/** Shows resources as a table. The first column links to each resource. */
export function nounTable(visit: DashboardContext, options: TableOptions): Page {
  const { noun, columns: names, rows, caption, cells = {}, picture, sortBy, choice } = options
  const columns = names.map((name, index): Column<Values> => {
    const own = cells[name]
    const show = (values: Values) =>
      own ? own.show(visit, values) : shownValue({ visit, field: noun.fields[name]!, name, values, room: 'cell' })
    const first = (values: Values) => {
      const words = linkToRow(visit, noun, values, own || isNamed(name, values) ? show(values) : nameOf(values))
      return picture
        ? html`<span class="pictured"><span class="thumb">${picture(visit, values)}</span>${words}</span>`
        : words
    }
    return {
      words: own?.title ?? fieldTitle(name),
      cell: index === 0 ? first : show,
      end: own ? own.end === true : numeric(noun, name),
      sort: sortBy?.(name),
    }
  })
  return dataTable({ caption, columns, rows, choice, key: ({ id }) => String(id ?? '') })
}

function isNamed(name: string, values: Values): boolean {
  return name !== 'id' && Boolean(values[name])
}

function linkToRow(visit: DashboardContext, noun: Noun, values: Values, words: Page | string): Page {
  const address = addressOf(visit, noun.name, String(values.id ?? ''))
  return address === null ? html`${words}` : rowLink(address, words)
}

function numeric(noun: Noun, name: string): boolean {
  const kind = kindOf(noun.fields[name]!.spec)
  return kind === 'money' || kind === 'number'
}

export function columnsOf(noun: Noun, view: View | undefined): readonly string[] {
  if (view?.columns) return view.columns
  const first = nameField(noun) ?? 'id'
  const known = Object.entries(noun.fields).filter(
    ([name, { spec }]) =>
      name !== first && !SKIPPED.has(name) && spec.use !== 'input' && WORTH_A_COLUMN.has(kindOf(spec)),
  )
  const kinds = known.map(([name, { spec }]) => ({ name, kind: kindOf(spec) }))
  const distinct = kinds.filter(
    ({ kind }, index) => kind !== 'money' || kinds.findIndex((one) => one.kind === kind) === index,
  )
  const byWorth = distinct.toSorted((one, other) => columnRank(one.name, one.kind) - columnRank(other.name, other.kind))
  const chosen = byWorth.slice(0, MOST_COLUMNS).map(({ name }) => name)
  return [first, ...chosen, ...(noun.fields.created_at ? ['created_at'] : [])]
}

function columnRank(name: string, kind: string): number {
  if (name === 'status') return 0
  return ['reference', 'money', 'choice', 'email', 'number', 'flag', 'moment'].indexOf(kind) + 1
}

export function expandedBy({ noun, list }: Manageable, columns: readonly string[], view: View | undefined): string[] {
  const named = columns.filter((name) => {
    const relation = noun.fields[name]?.spec.relation
    return list?.expandable && relation?.expandable && relation.kind === 'one'
  })
  return [...new Set([...named, ...(view?.expand ?? [])])]
}
