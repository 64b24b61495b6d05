import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { type Fact, factList } from '../../parts/facts.ts'
import { change } from '../plots/change.ts'
import { COUNT, moneyUnit } from '../plots/series.ts'
import type { Report, Sold } from './asked.ts'
import { dayText } from './days.ts'

type Name = Exclude<keyof Sold['total'], 'free_orders'>

const MONEY: readonly (readonly [Name, string])[] = [
  ['gross', 'Gross revenue'],
  ['refunds', 'Refunds'],
  ['tax', 'Tax'],
  ['net', 'Net revenue'],
  ['average_order', 'Average order'],
  ['discounts', 'Discounts given'],
]
const COUNTS: readonly (readonly [Name, string])[] = [
  ['orders', 'Orders'],
  ['new_buyers', 'New buyers'],
  ['returning_buyers', 'Returning buyers'],
]

/** The figures of the whole range, each with what it is compared with. */
export function headline(report: Report, { currency, total, before, recurring }: Sold): Page {
  const money = moneyUnit(currency)
  const fact = (words: string, value: number, then: number | null, unit: typeof money, start = ''): Fact => {
    const note = then === null ? undefined : { kind: 'tile-note', words: change(value, then, unit, start) }
    return [words, unit.text(value), { kind: 'report-figure', ...(note && { note }) }]
  }
  const [start, end] = [recurring.start, recurring.end]
  return html`${comparedWith(report)}${factList('report-figures', [
    ...MONEY.map(([name, words]) => fact(words, total[name], before?.[name] ?? null, money)),
    ...COUNTS.map(([name, words]) => fact(words, total[name], before?.[name] ?? null, COUNT)),
    (start > 0 || end > 0) && fact('Monthly recurring revenue', end, start, money, 'the start of these days'),
  ])}`
}

function comparedWith({ before_from: from, before_to: to }: Report): Page {
  if (from === null || to === null) return html``
  const days = from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
  return html`<p class="report-compared">Compared with ${days}</p>`
}
