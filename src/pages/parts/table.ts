import { html } from 'hono/html'
import type { Page } from './document.ts'

/** A column of a table. The first one heads its row. */
export interface Column<Row> {
  words: string
  cell(row: Row): Page | string
  /** In place of its words at its head, such as a link that sorts by it. */
  head?: Page | undefined
  /** How the rows are sorted, where that is by this column. */
  sorted?: 'ascending' | 'descending' | undefined
  /** Aligned at its end, as numbers are. */
  end?: boolean
  /** Its cells hold buttons that say themselves what they do, so its words are for screen readers alone. */
  acts?: boolean
}

interface TableOptions<Row> {
  /** What the table is of, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
}

/** A table of anything, in a box that scrolls; on narrow screens each row becomes a block. */
export function dataTable<Row>(options: TableOptions<Row>): Page {
  const { caption } = options
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0">${plainTable(options)}</div>`
}

/** The same without its box, for few and short columns. */
export function plainTable<Row>({ caption, columns, rows }: TableOptions<Row>): Page {
  return html`<table><caption class="unseen">${caption}</caption><thead>${headsOf(columns)}</thead>
<tbody>${bodyOf(columns, rows)}</tbody></table>`
}

/** A table whose caption is shown instead of the words of its columns. `kind` is its class. */
export function captionedTable<Row>(kind: string, { caption, columns, rows }: TableOptions<Row>): Page {
  return html`<table class="${kind}"><caption>${caption}</caption><thead class="unseen">${headsOf(columns)}</thead><tbody>${bodyOf(columns, rows)}</tbody></table>`
}

/** One cell of a grid, with its classes. */
export interface GridCell {
  kind: string
  content: Page
}

interface GridOptions {
  /** The class of its box. */
  kind: string
  caption: string
  heads: readonly Page[]
  rows: readonly (readonly GridCell[])[]
}

/** A table whose cells are alike, such as the days of a month, so that no cell heads its row. */
export function gridTable({ kind, caption, heads, rows }: GridOptions): Page {
  const lines = rows.map(
    (cells) => html`<tr>${cells.map(({ kind, content }) => html`<td class="${kind}">${content}</td>`)}</tr>`,
  )
  return html`<div class="${kind}"><table><caption class="unseen">${caption}</caption><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${lines}</tbody></table></div>`
}

function headsOf<Row>(columns: readonly Column<Row>[]): Page {
  const heads = columns.map(
    ({ words, head, sorted, end, acts }) =>
      html`<th scope="col"${endOf(end)}${sorted ? html` aria-sort="${sorted}"` : ''}>${acts ? html`<span class="unseen">${words}</span>` : (head ?? words)}</th>`,
  )
  return html`<tr>${heads}</tr>`
}

function bodyOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Page {
  return html`${rows.map((row) => html`<tr>${columns.map((column, index) => cellOf(column, row, index === 0))}</tr>`)}`
}

function cellOf<Row>({ words, cell, end, acts }: Column<Row>, row: Row, first: boolean): Page {
  if (first) return html`<th scope="row">${cell(row)}</th>`
  if (acts) return html`<td class="acts">${cell(row)}</td>`
  return html`<td data-label="${words}"${endOf(end)}>${cell(row)}</td>`
}

function endOf(end = false): Page {
  return end ? html` class="end"` : html``
}
