import { html } from 'hono/html'
import { type Bill, type BillRow, billRows } from '../../format/bill.ts'

export const BILL_ROWS: Record<BillRow['kind'], string> = {
  step: 'bill-row',
  less: 'bill-row bill-less',
  total: 'bill-row bill-total',
  within: 'bill-row bill-within',
  left: 'bill-row bill-left',
}

export type Page = ReturnType<typeof html>

interface FieldOptions {
  id: string
  label: string | Page
  hint?: string | Page
  problems: readonly Problem[]
  /** Renders the input. `described` contains the ARIA attributes for the hint and the problem. */
  input(described: Page): Page
}

/** Renders an input with its label, hint and problem, accessible to screen readers. */
export function field({ id, label, hint, problems, input }: FieldOptions): Page {
  const problem = problems.find((one) => one.field === id)
  return html`<div class="field${problem ? ' wrong' : ''}">
<label for="${id}">${label}</label>
${hint ? html`<p class="hint" id="${id}-hint">${hint}</p>` : ''}${problem ? html`<p class="problem" id="${id}-problem"><span class="unseen">Problem: </span>${problem.message}</p>` : ''}
${input(describedBy(id, hint, problems))}
</div>`
}

/** Renders the field for a buyer's e-mail address. */
export function emailField(typed: string, problems: readonly Problem[], hint = ''): Page {
  return field({
    id: 'email',
    label: 'E-mail',
    hint,
    problems,
    input: (described) =>
      html`<input id="email" name="email" type="email" inputmode="email" autocomplete="email" maxlength="254" spellcheck="false" value="${typed}" required${described}>`,
  })
}

/** The maximum length of a buyer's name. */
export const MAX_NAME = 200

export function nameField(typed: string, problems: readonly Problem[]): Page {
  return field({
    id: 'name',
    label: html`Name <span class="optional">optional</span>`,
    problems,
    input: (described) =>
      html`<input id="name" name="name" type="text" autocomplete="name" maxlength="${MAX_NAME}" value="${typed}"${described}>`,
  })
}

/** Returns the ARIA attributes that link an input to its hint and problem. */
export function describedBy(id: string, hint: string | Page | undefined, problems: readonly Problem[]): Page {
  const isWrong = problems.some((one) => one.field === id)
  const names = [hint && `${id}-hint`, isWrong && `${id}-problem`].filter(Boolean).join(' ')
  return html`${names ? html` aria-describedby="${names}"` : ''}${isWrong ? html` aria-invalid="true"` : ''}`
}

export function problemsAt(problems: readonly Problem[], id: string): Page {
  return html`${problems.filter(({ field: at }) => at === id).map(({ message }) => html`<p class="problem">${message}</p>`)}`
}

export function optionTags(options: readonly (readonly [value: string, words: string])[], chosen: string | null) {
  return options.map(
    ([value, words]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`,
  )
}

/** Renders all problems with links to their fields. This part gets the focus when the page loads. */
export function summaryOf(problems: readonly Problem[], title = 'Please check what you entered'): Page {
  if (problems.length === 0) return html``
  const lines = problems.map(({ field, message }) =>
    field === null ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  )
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus aria-labelledby="problems">
<h2 id="problems">${title}</h2><ul>${lines}</ul></div>`
}

export function notice(kind: 'good' | 'bad' | 'plain', text: string | Page): Page {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}" tabindex="-1" autofocus><p>${text}</p></div>`
}

/** A problem with an entered value. The message describes a correct value. */
export interface Problem {
  field: string | null
  message: string
}

export type Fact = readonly [name: string | Page, value: string | Page, more?: FactOptions]

interface FactOptions {
  kind?: string
  note?: { kind: string; words: string | Page }
  controller?: string
}

/** Renders a definition list. `kind` is its CSS class. Absent facts are skipped. */
export function factList(kind: string, facts: readonly (Fact | false | null | undefined)[]): Page {
  return html`<dl class="${kind}">${facts.map((fact) => (fact ? factOf(fact) : ''))}</dl>`
}

/** Renders facts in a card. `label` is for screen readers. */
export function factCard(label: string, facts: readonly (Fact | false | null | undefined)[]): Page {
  return html`<section class="card" aria-label="${label}">${factList('fields', facts)}</section>`
}

export function headedCard(id: string, heading: string | Page, content: Page): Page {
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${content}</section>`
}

function factOf([name, value, more = {}]: Fact): Page {
  const { kind, note, controller } = more
  const own = html`${kind ? html` class="${kind}"` : ''}${controller ? html` data-controller="${controller}"` : ''}`
  const below = note ? html`<dd class="${note.kind}">${note.words}</dd>` : ''
  return html`<div${own}><dt>${name}</dt><dd>${value}</dd>${below}</div>`
}

/** A column of a table. The cells of the first column are the headers of their rows. */
export interface Column<Row> {
  words: string
  cell(row: Row): Page | string
  /** Whether the column is right-aligned, as for numbers. */
  end?: boolean
  /** Whether the cells contain buttons that explain themselves, so that only screen readers need the column's title. */
  acts?: boolean
  sort?: Sort | undefined
}

export interface Sort {
  address: string
  now: 'ascending' | 'descending' | null
}

/** The checkbox of each row, and the one in the header for all rows. */
export interface Choice<Row> {
  all: Page
  one(row: Row): Page
}

interface TableOptions<Row> {
  /** The caption is only for screen readers, except in `captionedTable`. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  choice?: Choice<Row> | undefined
  /** Returns a key with which scripts find the row. */
  key?(row: Row): string
}

/** Renders a table in a box that scrolls. On narrow screens, the rows become blocks. */
export function dataTable<Row>(options: TableOptions<Row>): Page {
  const { caption } = options
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0">${plainTable(options)}</div>`
}

/** Renders a table without a scrolling box, for few and short columns. */
export function plainTable<Row>(options: TableOptions<Row>): Page {
  const { caption, columns, choice } = options
  return html`<table><caption class="unseen">${caption}</caption><thead>${headsOf(columns, choice)}</thead>
<tbody>${bodyOf(options)}</tbody></table>`
}

/** Renders a table with a visible caption and hidden column titles. `kind` is its CSS class. */
export function captionedTable<Row>(kind: string, options: TableOptions<Row>): Page {
  const { caption, columns } = options
  return html`<table class="${kind}"><caption>${caption}</caption><thead class="unseen">${headsOf(columns)}</thead><tbody>${bodyOf(options)}</tbody></table>`
}

export interface GridCell {
  kind: string
  content: Page
}

interface GridOptions {
  kind: string
  caption: string
  heads: readonly Page[]
  rows: readonly (readonly GridCell[])[]
}

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
    return html`<th scope="col"${endAlignment(end)}>${acts ? html`<span class="unseen">${words}</span>` : words}</th>`
  })
  return html`<tr>${choice ? html`<td class="choose-row">${choice.all}</td>` : ''}${heads}</tr>`
}

function sortHead(words: string, { address, now }: Sort, end?: boolean): Page {
  const state = now === null ? '' : html` aria-sort="${now}"`
  return html`<th scope="col"${endAlignment(end)}${state}><a class="sort" href="${address}">${words}</a></th>`
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
  return html`<td data-label="${words}"${endAlignment(end)}>${cell(row)}</td>`
}

function endAlignment(end = false): Page {
  return end ? html` class="end"` : html``
}

/** Returns the first letter of a name, which is shown in place of a missing picture. */
export function letterOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? ''
}

export function mark(name: string, logo: string | null = null): ReturnType<typeof html> {
  if (logo !== null) return html`<img class="logo" src="${logo}" alt="" decoding="async">`
  return html`<span class="mark" aria-hidden="true">${letterOf(name)}</span>`
}

export function billList(kind: string, bill: Bill): Page {
  const rows = billRows(bill).map(({ kind, label, value }): Fact => [label, value, { kind: BILL_ROWS[kind] }])
  return factList(`bill ${kind}`, rows)
}
