import { html } from 'hono/html'
import { formatShortDay } from '../../../words/moments.ts'
import { formatMoney } from '../../../words/money.ts'
import type { Page } from '../../parts/document.ts'
import type { Values, Visit } from '../kit/visit.ts'

/** An amount of a thing in the thing's own currency. */
export function amountOf(values: Values, field = 'amount'): string {
  return formatMoney(Number(values[field] ?? 0), String(values.currency))
}

/** The same as an amount that is taken off. */
export function lessOf(values: Values, field: string): string {
  return formatMoney(-Number(values[field]), String(values.currency))
}

export function amount(values: Values, field = 'amount'): Page {
  return html`<span class="number">${amountOf(values, field)}</span>`
}

/** A day in the account's time zone. */
export function day({ account }: Visit, timestamp: unknown): string {
  return formatShortDay(String(timestamp), account.timezone)
}
