import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'

/** A column of a table that is made by hand. The first one heads its row. */
export interface Column<Row> {
  words: string
  cell(row: Row): Page | string
  /** Aligned at its end, as numbers are. */
  end?: boolean
  /** Its cells hold buttons that say themselves what they do, so its words are for screen readers alone. */
  acts?: boolean
}

interface RowsOptions<Row> {
  /** What the table is of, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

/** A table of anything; on narrow screens each row becomes a block. */
export function rowsTable<Row>({ caption, columns, rows }: RowsOptions<Row>): Page {
  const heads = columns.map(
    ({ words, end, acts }) =>
      html`<th scope="col"${end ? html` class="end"` : ''}>${acts ? html`<span class="unseen">${words}</span>` : words}</th>`,
  )
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0"><table><caption class="unseen">${caption}</caption><thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column, index) => cellOf(column, row, index === 0))}</tr>`)}</tbody></table></div>`
}

function cellOf<Row>({ words, cell, end, acts }: Column<Row>, row: Row, first: boolean): Page {
  if (first) return html`<th scope="row">${cell(row)}</th>`
  if (acts) return html`<td class="acts">${cell(row)}</td>`
  return html`<td data-label="${words}"${end ? html` class="end"` : ''}>${cell(row)}</td>`
}
