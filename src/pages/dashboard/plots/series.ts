import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { formatMoney, formatMoneyShort } from '../../../format/money.ts'
import { formatNumber, formatNumberShort, formatPercent } from '../../../format/numbers.ts'
import type { Page } from '../../parts/markup.ts'

export interface Point {
  /** The short label below the axis, such as `5 May`. */
  tick: string
  /** The label in the table and on hover, such as `5 May 2026`. */
  label: string
  value: number
  /** The address of the list with the orders or events of this interval. */
  address?: string | undefined
}

/** Formats values in full for text and tables, and short for the axis. */
export interface Unit {
  text(value: number): string
  short(value: number): string
  /** Whether the labels of the axis are whole numbers only. */
  whole?: boolean
}

export const COUNT: Unit = {
  text: formatNumber,
  short: formatNumberShort,
  whole: true,
}

export function moneyUnit(currency: string): Unit {
  return { text: (value) => formatMoney(value, currency), short: (value) => formatMoneyShort(value, currency) }
}

/** Returns words and not only a color, because color alone is not accessible. */
export function change(value: number, before: number, unit: Unit, than: string): Page {
  const when = than === '' ? '' : ` ${than.startsWith('the start') ? 'at' : 'in'} ${than}`
  const then = html`${unit.text(before)}${when}`
  if (value === before) return html`${than === '' ? 'Unchanged' : `As much as${when}`}`
  if (before <= 0) return html`${than === '' ? html`Before: ${then}` : then}`
  const percent = Math.round(((value - before) / before) * 100)
  const [tone, word] = value > before ? ['up', 'more'] : ['down', 'less']
  const size = percent === 0 ? 'Slightly' : formatPercent(Math.abs(percent))
  return html`<span class="${tone}">${size} ${word}</span> <span>than ${then}</span>`
}

/** Shows a note about the number of orders in the figures that moved no money. */
export function simulatedNote({ simulated_orders: count }: { simulated_orders: number }): Page {
  if (count === 0) return html``
  return html`<p class="notice">These figures include ${counted(count, 'simulated order')}, which moved no money.</p>`
}
