import { html } from 'hono/html'
import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Page } from '../../parts/document.ts'
import { addressOf } from '../kit/addresses.ts'
import type { Values } from '../kit/ask.ts'
import { kindOf } from '../kit/fields.ts'
import { nameOf } from '../kit/labels.ts'
import { shownValue } from '../kit/value.ts'
import type { Cell, Visit } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'

interface TableOptions {
  noun: Noun
  columns: readonly string[]
  rows: Values[]
  /** Columns that are no fields. */
  cells?: Record<string, Cell> | undefined
  /** What the table is of, for screen readers. */
  caption: string
}

/** Rows of one noun as a table; the first column leads to each thing. On narrow screens each row becomes a block. */
export function table(visit: Visit, { noun, columns, rows, caption, cells = {} }: TableOptions): Page {
  const isNumeric = (name: string) => cells[name]?.end ?? (!cells[name] && numeric(noun, name))
  const heads = columns.map(
    (name) =>
      html`<th scope="col"${isNumeric(name) ? html` class="end"` : ''}>${cells[name]?.title ?? fieldTitle(name)}</th>`,
  )
  return html`<div class="table"><table><caption class="unseen">${caption}</caption><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((name, index) => cell(visit, { noun, cells }, row, name, index === 0))}</tr>`)}</tbody></table></div>`
}

function cell(
  visit: Visit,
  { noun, cells = {} }: Pick<TableOptions, 'noun' | 'cells'>,
  values: Values,
  name: string,
  first: boolean,
): Page {
  const [field, own] = [noun.fields[name]!, cells[name]]
  if (first) {
    const words = own
      ? own.show(visit, values)
      : name === 'id'
        ? nameOf(values)
        : values[name]
          ? shownValue({ visit, field, name, values, room: 'cell' })
          : nameOf(values)
    const address = addressOf(visit, noun.name, String(values.id ?? ''))
    return html`<th scope="row">${address === null ? words : html`<a class="row-link" href="${address}">${words}</a>`}</th>`
  }
  if (own)
    return html`<td data-label="${own.title}"${own.end ? html` class="end"` : ''}>${own.show(visit, values)}</td>`
  const shown = shownValue({ visit, field, name, values, room: 'cell' })
  return html`<td data-label="${fieldTitle(name)}"${numeric(noun, name) ? html` class="end"` : ''}>${shown}</td>`
}

function numeric(noun: Noun, name: string): boolean {
  const kind = kindOf(noun.fields[name]!.spec)
  return kind === 'money' || kind === 'number'
}
