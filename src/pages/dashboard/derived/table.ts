import { html } from 'hono/html'
import type { Noun } from '../../../contract/noun.ts'
import type { Page } from '../../parts/document.ts'
import { addressOf } from '../kit/addresses.ts'
import { kindOf } from '../kit/fields.ts'
import { nameOf } from '../kit/labels.ts'
import { shownValue } from '../kit/value.ts'
import type { Values, Visit } from '../kit/visit.ts'
import { fieldTitle } from '../kit/words.ts'

interface TableOptions {
  noun: Noun
  columns: string[]
  rows: Values[]
  /** What the table is of, for screen readers. */
  caption: string
}

/** Rows of one noun as a table; the first column leads to each thing. On narrow screens each row becomes a block. */
export function table(visit: Visit, { noun, columns, rows, caption }: TableOptions): Page {
  const heads = columns.map(
    (name) => html`<th scope="col"${numeric(noun, name) ? html` class="end"` : ''}>${fieldTitle(name)}</th>`,
  )
  return html`<div class="table"><table><caption class="unseen">${caption}</caption><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((name, index) => cell(visit, noun, row, name, index === 0))}</tr>`)}</tbody></table></div>`
}

function cell(visit: Visit, noun: Noun, values: Values, name: string, first: boolean): Page {
  const field = noun.fields[name]!
  if (first) {
    const words =
      name === 'id'
        ? nameOf(values)
        : values[name]
          ? shownValue({ visit, field, name, values, room: 'cell' })
          : nameOf(values)
    const address = addressOf(visit, noun.name, String(values.id ?? ''))
    return html`<th scope="row">${address === null ? words : html`<a class="row-link" href="${address}">${words}</a>`}</th>`
  }
  const shown = shownValue({ visit, field, name, values, room: 'cell' })
  return html`<td data-label="${fieldTitle(name)}"${numeric(noun, name) ? html` class="end"` : ''}>${shown}</td>`
}

function numeric(noun: Noun, name: string): boolean {
  const kind = kindOf(noun.fields[name]!.spec)
  return kind === 'money' || kind === 'number'
}
