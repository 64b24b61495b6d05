import { html } from 'hono/html'
import { counted } from '../../../words/counts.ts'
import { formatNumber } from '../../../words/numbers.ts'
import { type Fact, factList, type Page } from '../../parts/markup.ts'
import { change } from '../plots/change.ts'
import { COUNT, moneyUnit } from '../plots/series.ts'
import type { Report, Sold } from './asked.ts'
import { dayText } from './days.ts'

type Total = Sold['total']
type Name = Exclude<keyof Total, 'free_orders'>
/** A figure, its words, and what it counts where those do not say it. */
type Line = readonly [name: Name, words: string, hint?: (total: Total) => string]

const MONEY: readonly Line[] = [
  ['gross', 'Gross revenue', () => 'What buyers paid, after discounts, with tax.'],
  ['refunds', 'Refunds'],
  ['tax', 'Tax'],
  ['net', 'Net revenue', () => 'Gross minus refunds and tax.'],
  ['average_order', 'Average order', averageOf],
  ['discounts', 'Discounts given'],
]
const COUNTS: readonly Line[] = [
  ['orders', 'Orders', ordersOf],
  ['new_buyers', 'New buyers', () => 'Their first order in this currency.'],
  ['returning_buyers', 'Returning buyers'],
]

function averageOf({ orders, free_orders: free }: Total): string {
  return `Gross revenue divided by ${counted(orders - free, 'order')} that cost something.`
}

function ordersOf({ orders, free_orders: free }: Total): string {
  return free === 0
    ? 'Paid orders, refunded ones too.'
    : `${formatNumber(orders - free)} paid, refunded ones too, and ${formatNumber(free)} free.`
}

/** The figures of the whole range, each with what it is compared with. */
export function headline(report: Report, { currency, total, before, recurring }: Sold): Page {
  const money = moneyUnit(currency)
  const fact = (unit: typeof money, [words, value, then, start = '']: Compared, hint = ''): Fact => {
    const compared = then === null ? '' : change(value, then, unit, start)
    const note = html`${hint === '' ? '' : html`<span class="figure-hint">${hint}</span> `}${compared}`
    return [words, unit.text(value), { kind: 'report-figure', note: { kind: 'tile-note', words: note } }]
  }
  const figure = (unit: typeof money, [name, words, hint]: Line) =>
    fact(unit, [words, total[name], before?.[name] ?? null], hint?.(total))
  const [start, end] = [recurring.start, recurring.end]
  return html`${comparedWith(report)}${factList('report-figures', [
    ...MONEY.map((line) => figure(money, line)),
    ...COUNTS.map((line) => figure(COUNT, line)),
    (start > 0 || end > 0) && fact(money, ['Monthly recurring revenue', end, start, 'the start of these days']),
  ])}`
}

type Compared = [words: string, value: number, then: number | null, start?: string]

function comparedWith({ before_from: from, before_to: to }: Report): Page {
  if (from === null || to === null) return html``
  const days = from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
  return html`<p class="report-compared">Compared with ${days}</p>`
}
