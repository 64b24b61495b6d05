import { html } from 'hono/html'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import type { Failure } from './failure.ts'

export interface NotApplied {
  failure: Failure
  /** Over why; that nothing was applied when absent. */
  title?: string
}

/** Why nothing was applied, and where the shop differs from what was planned. `after` is what can be done about it. */
export function notApplied({ failure, title = 'Nothing was applied' }: NotApplied, after: Page | string = ''): Page {
  const { message, hint, differences = [] } = failure
  const table =
    differences.length > 0 ? dataTable({ caption: 'What differs', columns: DIFFERENCE_COLUMNS, rows: differences }) : ''
  return html`<section class="notice bad" role="alert"><h2>${title}</h2>
<p>${differences.length > 0 ? 'The shop has changed since the plan was made, so applying it would no longer have the result shown here.' : message}${hint ? ` ${hint}` : ''}</p>
${table}${after}</section>`
}

const DIFFERENCE_COLUMNS: Column<NonNullable<Failure['differences']>[number]>[] = [
  { words: 'What', cell: ({ what }) => html`${what}` },
  { words: 'Field', cell: ({ field }) => html`${field}` },
  { words: 'Planned', cell: ({ planned }) => html`${planned}` },
  { words: 'It would now be', cell: ({ now }) => html`${now}` },
]
