import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import { type Choice, type Column, dataTable, type Page, type Sort } from '../../parts/markup.ts'
import type { Values } from '../kit/ask.ts'
import { kindOf } from '../kit/fields.ts'
import { shownValue } from '../kit/value.ts'
import { addressOf, type Cell, type Visit } from '../kit/visit.ts'
import { fieldTitle, nameOf } from '../kit/words.ts'

interface TableOptions {
  noun: Noun
  columns: readonly string[]
  rows: Values[]
  /** Columns that are no fields. */
  cells?: Record<string, Cell> | undefined
  /** What the table is of, for screen readers. */
  caption: string
  /** A small picture before the name. */
  picture?: ((visit: Visit, values: Values) => Page) | undefined
  /** How the head of a column sorts. */
  sortBy?: ((column: string) => Sort | undefined) | undefined
  choice?: Choice<Values> | undefined
}

/** Rows of one noun as a table; the first column leads to each thing. On narrow screens each row becomes a block. */
export function nounTable(visit: Visit, options: TableOptions): Page {
  const { noun, columns: names, rows, caption, cells = {}, picture, sortBy, choice } = options
  const columns = names.map((name, index): Column<Values> => {
    const own = cells[name]
    const show = (values: Values) =>
      own ? own.show(visit, values) : shownValue({ visit, field: noun.fields[name]!, name, values, room: 'cell' })
    const first = (values: Values) => {
      const words = linked(visit, noun, values, own || isNamed(name, values) ? show(values) : nameOf(values))
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

function linked(visit: Visit, noun: Noun, values: Values, words: Page | string): Page {
  const address = addressOf(visit, noun.name, String(values.id ?? ''))
  return address === null ? html`${words}` : html`<a class="row-link" href="${address}">${words}</a>`
}

function numeric(noun: Noun, name: string): boolean {
  const kind = kindOf(noun.fields[name]!.spec)
  return kind === 'money' || kind === 'number'
}
