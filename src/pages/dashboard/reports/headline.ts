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
  const than = comparedWith(report)
  const money = moneyUnit(currency)
  const fact = (words: string, value: number, then: number | null, unit: typeof money, start = ''): Fact => {
    const note = then === null ? undefined : { kind: 'tile-note', words: change(value, then, unit, start || than) }
    return [words, unit.text(value), { kind: 'report-figure', ...(note && { note }) }]
  }
  const [start, end] = [recurring.start, recurring.end]
  return html`${factList('report-figures', [
    ...MONEY.map(([name, words]) => fact(words, total[name], before?.[name] ?? null, money)),
    ...COUNTS.map(([name, words]) => fact(words, total[name], before?.[name] ?? null, COUNT)),
    (start > 0 || end > 0) && fact('Monthly recurring revenue', end, start, money, 'the start of these days'),
  ])}`
}

function comparedWith({ before_from: from, before_to: to }: Report): string {
  if (from === null || to === null) return ''
  return from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
}
