import { html } from 'hono/html'
import type { Page } from './document.ts'

/** A column of a table. The first one heads its row. */
export interface Column<Row> {
  words: string
  cell(row: Row): Page | string
  /** Aligned at its end, as numbers are. */
  end?: boolean
  /** Its cells hold buttons that say themselves what they do, so its words are for screen readers alone. */
  acts?: boolean
  /** By what its head sorts the table. */
  sort?: Sort | undefined
}

/** The link in the head of a column that sorts the table by it. */
export interface Sort {
  address: string
  /** How the table is sorted by it now. */
  now: 'ascending' | 'descending' | null
}

/** A box at the beginning of each row, and one in the head for all of them. */
export interface Choice<Row> {
  all: Page
  one(row: Row): Page
}

interface TableOptions<Row> {
  /** What the table is of, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  choice?: Choice<Row> | undefined
  /** What a row is called, where scripts have to find it again. */
  key?(row: Row): string
}

/** A table of anything, in a box that scrolls; on narrow screens each row becomes a block. */
export function dataTable<Row>(options: TableOptions<Row>): Page {
  const { caption } = options
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0">${plainTable(options)}</div>`
}

/** The same without its box, for few and short columns. */
export function plainTable<Row>(options: TableOptions<Row>): Page {
  const { caption, columns, choice } = options
  return html`<table><caption class="unseen">${caption}</caption><thead>${headsOf(columns, choice)}</thead>
<tbody>${bodyOf(options)}</tbody></table>`
}

/** A table whose caption is shown instead of the words of its columns. `kind` is its class. */
export function captionedTable<Row>(kind: string, options: TableOptions<Row>): Page {
  const { caption, columns } = options
  return html`<table class="${kind}"><caption>${caption}</caption><thead class="unseen">${headsOf(columns)}</thead><tbody>${bodyOf(options)}</tbody></table>`
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

function headsOf<Row>(columns: readonly Column<Row>[], choice?: Choice<Row>): Page {
  const heads = columns.map(({ words, end, acts, sort }) => {
    if (sort) return sortHead(words, sort, end)
    return html`<th scope="col"${endOf(end)}>${acts ? html`<span class="unseen">${words}</span>` : words}</th>`
  })
  return html`<tr>${choice ? html`<td class="choose-row">${choice.all}</td>` : ''}${heads}</tr>`
}

function sortHead(words: string, { address, now }: Sort, end?: boolean): Page {
  const state = now === null ? '' : html` aria-sort="${now}"`
  return html`<th scope="col"${endOf(end)}${state}><a class="sort" href="${address}">${words}</a></th>`
}

function bodyOf<Row>({ columns, rows, choice, key }: TableOptions<Row>): Page {
  return html`${rows.map((row) => {
    const named = key ? html` data-row="${key(row)}"` : ''
    const box = choice ? html`<td class="choose-row">${choice.one(row)}</td>` : ''
    return html`<tr${named}>${box}${columns.map((column, index) => cellOf(column, row, index === 0))}</tr>`
  })}`
}

function cellOf<Row>({ words, cell, end, acts }: Column<Row>, row: Row, first: boolean): Page {
  if (first) return html`<th scope="row">${cell(row)}</th>`
  if (acts) return html`<td class="acts">${cell(row)}</td>`
  return html`<td data-label="${words}"${endOf(end)}>${cell(row)}</td>`
}

function endOf(end = false): Page {
  return end ? html` class="end"` : html``
}
