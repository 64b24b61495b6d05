import { html } from 'hono/html'
import { counted } from '../../../words/counts.ts'
import { formatMoney, formatMoneyShort } from '../../../words/money.ts'
import { formatNumber, formatNumberShort, formatPercent } from '../../../words/numbers.ts'
import type { Page } from '../../parts/markup.ts'

export interface Point {
  /** Under the axis, short: `5 May`. */
  tick: string
  /** In the table and when the pointer rests on it: `5 May 2026`. */
  label: string
  value: number
  /** Where what happened in it is listed: the point leads there. */
  address?: string | undefined
}

/** How values are written: whole in words and tables, short at the axis. */
export interface Unit {
  text(value: number): string
  short(value: number): string
  /** Values of the axis are whole numbers. */
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

/** In words, since a colour alone says nothing to many. */
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

/** Says below figures how many of their orders moved no money. */
export function simulatedNote({ simulated_orders: count }: { simulated_orders: number }): Page {
  if (count === 0) return html``
  return html`<p class="notice">These figures include ${counted(count, 'simulated order')}, which moved no money.</p>`
}
