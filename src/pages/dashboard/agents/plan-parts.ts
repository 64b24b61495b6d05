import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import type { ProgramFailure } from './failure.ts'
import type { Plan } from './words.ts'

const DIFFERENCE_COLUMNS: Column<NonNullable<ProgramFailure['differences']>[number]>[] = [
  { words: 'What', cell: ({ what }) => html`${what}` },
  { words: 'Field', cell: ({ field }) => html`${field}` },
  { words: 'Planned', cell: ({ planned }) => html`${planned}` },
  { words: 'It would now be', cell: ({ now }) => html`${now}` },
]

export const NOT_APPLIED = 'None of these changes were made.'

const LEADS: Record<Plan['state'], string> = {
  open: 'Nothing has changed yet. Applying the plan makes exactly these changes, or none.',
  applied: 'All of these changes were made.',
  rejected: NOT_APPLIED,
  withdrawn: NOT_APPLIED,
  replaced: NOT_APPLIED,
  expired: 'None of these changes were made, and the plan can no longer be applied.',
}

/** Explains what the decision does. A background program's plan covers only its next batch of rows. */
export function leadOf({ state, background_rows }: Plan): string {
  if (state !== 'open' || background_rows === null) return LEADS[state]
  const rows = counted(background_rows, 'row')
  return `Nothing has changed yet. This is the next batch of a program over ${rows}: applying the plan makes exactly these changes, or none, and then goes on with the others in the background.`
}

/** Lists the plan's effects outside the shop, such as payments, e-mails and posts; empty when there are none. */
export function followingOf({ state, after_commit, background_rows }: Plan): Page | '' {
  if (after_commit === null || (state !== 'open' && state !== 'applied')) return ''
  const when =
    state === 'applied'
      ? 'After it was applied'
      : background_rows === null
        ? 'Once applied'
        : 'Once this batch is applied'
  return html`<p class="notice following"><strong>${when}:</strong> ${after_commit}</p>`
}

export interface NotApplied {
  failure: ProgramFailure
  title?: string
}

/** Shows why nothing was applied and where the shop differs from the plan, and then `after`, the ways to proceed. */
export function notApplied({ failure, title = 'Nothing was applied' }: NotApplied, after: Page | string = ''): Page {
  const { message, hint, differences = [] } = failure
  const table =
    differences.length > 0 ? dataTable({ caption: 'What differs', columns: DIFFERENCE_COLUMNS, rows: differences }) : ''
  return html`<section class="notice bad" role="alert"><h2>${title}</h2>
<p>${differences.length > 0 ? 'The shop has changed since the plan was made, so applying it would no longer have the result shown here.' : message}${hint ? ` ${hint}` : ''}</p>
${table}${after}</section>`
}
