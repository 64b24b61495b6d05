import { html } from 'hono/html'
import type { Difference } from '../../../contract/declarations/planned-change.ts'
import type { Json } from '../../../contract/values/json.ts'
import { counted } from '../../../format/counts.ts'
import { formatMoney } from '../../../format/money.ts'
import { sentenceCase } from '../../../format/sentences.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { fieldTitle, shortened } from '../kit/words.ts'
import { happening, type Plan } from './words.ts'

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

/** Shows why nothing was applied and where the shop differs from the plan, followed by `after`, which offers the next steps. */
export function notApplied({ failure, title = 'Nothing was applied' }: NotApplied, after: Page | string = ''): Page {
  const { message, hint, differences = [] } = failure
  const table =
    differences.length > 0 ? dataTable({ caption: 'What differs', columns: DIFFERENCE_COLUMNS, rows: differences }) : ''
  return html`<section class="notice bad" role="alert"><h2>${title}</h2>
<p>${differences.length > 0 ? 'The shop has changed since the plan was made, so applying it would no longer have the result shown here.' : message}${hint ? ` ${hint}` : ''}</p>
${table}${after}</section>`
}

interface ProgramFailure {
  message: string
  hint?: string | null
  line?: number | null
  differences?: { what: string; field: string; planned: string; now: string }[]
}

const MAX_VALUE = 200

type CurrencyOf = (change: string, field: string) => string | null

const NO_AMOUNTS: CurrencyOf = () => null

export function failureOf(
  answer: Shown<'program_answer'>['answer'],
  currencyOf: CurrencyOf = NO_AMOUNTS,
): ProgramFailure {
  const { error, differences = [] } = answer
  return {
    message: sentenceCase(error?.message ?? 'The program failed.'),
    hint: error?.hint ?? null,
    line: error?.line ?? null,
    differences: differences.flatMap((one) => (typeof one === 'object' ? differenceRow(one, currencyOf) : [])),
  }
}

function differenceRow({ change, name, field, planned, now }: Difference, currencyOf: CurrencyOf) {
  const [event = ''] = change.split(' ')
  const currency = field === undefined ? null : currencyOf(change, field)
  return {
    what: name ?? sentenceCase(happening(event, 1)),
    field: field === undefined ? 'All of it' : fieldTitle(field),
    planned: valueText(planned, currency),
    now: valueText(now, currency),
  }
}

/** Returns a value as text: `{"from": 1, "to": 2}` becomes `1 → 2`. */
function valueText(value: Json, currency: string | null): string {
  if (value === null) return 'nothing'
  if (typeof value === 'string') return shortened(value, MAX_VALUE)
  if (typeof value === 'number' && currency !== null) return formatMoney(value, currency)
  if (isStep(value)) return `${valueText(value.from, currency)} → ${valueText(value.to, currency)}`
  return shortened(JSON.stringify(value), MAX_VALUE)
}

function isStep(value: Json): value is { from: Json; to: Json } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'from,to'
}
