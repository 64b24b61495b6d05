import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { Interval } from '../../../contract/values/days.ts'
import type { Context } from '../../../records/context.ts'
import { currentAccount } from '../../company/account/current.ts'
import { simulatedIn } from '../simulated-orders.ts'
import { addSums, figuresOf, NO_SUMS, type Sums } from './figures.ts'
import { NO_MOVEMENT } from './movements.ts'
import { type SoldGroup, soldIn } from './orders.ts'
import { type Range, rangeOf } from './range.ts'
import { recurringIn } from './recurring.ts'
import type { Comparison, Dimension, Recurring, Report } from './report.ts'
import { rowsBy } from './rows.ts'

interface ReportQuery {
  from?: string | undefined
  to?: string | undefined
  interval?: Interval | undefined
  compare: Comparison
  by?: Dimension | undefined
  currency?: string | undefined
}

/** Returns the sales of a shop by currency, with the account's own currency first. */
export async function reportOf(context: Context, asked: ReportQuery): Promise<AnswerOf<typeof Report>> {
  const { timezone, default_currency: own } = await currentAccount(context)
  const { compare, by, currency } = asked
  const range = rangeOf(asked, context.now, timezone)
  const groups = await all(soldIn(context, range, currency))
  const before = await sumsBefore(context, range, currency)
  const rows = by ? await rowsBy(context, by, { range, groups, currency }) : new Map()
  const recurring = await recurringIn(context, range, currency)
  const simulated = await simulatedIn(context, range.span)
  const sold = Map.groupBy(groups, (group) => group.currency)
  const currencies = [...new Set([...sold.keys(), ...before.keys(), ...recurring.keys()])].toSorted(
    (one, other) => Number(other === own) - Number(one === own) || (one < other ? -1 : 1),
  )
  return {
    ...{ from: range.from, to: range.to, timezone, interval: range.interval, compare },
    ...{ before_from: range.before?.days.from ?? null, before_to: range.before?.days.to ?? null, by: by ?? null },
    currencies: currencies.map((code) => ({
      currency: code,
      simulated_orders: simulated.get(code) ?? 0,
      ...soldOf(range, sold.get(code) ?? []),
      before: range.before && figuresOf(before.get(code) ?? NO_SUMS),
      rows: rows.get(code) ?? [],
      recurring: recurring.get(code) ?? nothingRecurring(range),
    })),
  }
}

function soldOf({ steps }: Range, groups: readonly SoldGroup[]) {
  const total = { ...NO_SUMS }
  const points = steps.map(({ days }) => ({ days, sums: { ...NO_SUMS } }))
  for (const group of groups) {
    addSums(total, group)
    const point = points[group.step]
    if (point) addSums(point.sums, { ...group, returningBuyers: group.returningInStep })
  }
  return {
    total: figuresOf(total),
    points: points.map(({ days, sums }) => ({ ...days, ...figuresOf(sums) })),
  }
}

async function sumsBefore(context: Context, { before }: Range, currency: string | undefined) {
  const sums = new Map<string, Sums>()
  if (!before) return sums
  for await (const group of soldIn(context, { steps: [before], span: before }, currency)) {
    const own = sums.get(group.currency) ?? { ...NO_SUMS }
    sums.set(group.currency, own)
    addSums(own, group)
  }
  return sums
}

function nothingRecurring({ steps }: Range): Recurring {
  const points = steps.map(({ days }) => ({ ...days, ...NO_MOVEMENT, end: 0 }))
  return { start: 0, ...NO_MOVEMENT, end: 0, points }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
