import { sql } from 'kysely'
import type { Amounts, Figures } from './report.ts'

/** Tax on payments less refunded tax; revenue does not include it. */
export const TAX_KEPT = sql<number>`amount_tax - amount_tax_refunded`
export const COUNTRY = sql<string | null>`country`

export const NO_SUMS = {
  ...{ gross: 0, discounts: 0, refunds: 0, tax: 0, orders: 0 },
  ...{ free: 0, newBuyers: 0, returningBuyers: 0 },
}

export type Sums = typeof NO_SUMS

/** Adds to each of the sums, which may be fewer than those of `more`. */
export function addSums<Name extends string>(
  sums: Record<Name, number>,
  more: Readonly<Record<NoInfer<Name>, number>>,
): void {
  for (const name of Object.keys(sums) as Name[]) sums[name] += more[name]
}

export function amountsOf({
  gross,
  discounts,
  refunds,
  tax,
  orders,
}: Omit<Sums, 'free' | 'newBuyers' | 'returningBuyers'>): Amounts {
  return { gross, discounts, refunds, tax, net: gross - refunds - tax, orders }
}

export function figuresOf(sums: Sums): Figures {
  const { gross, orders, free, newBuyers, returningBuyers } = sums
  const paid = orders - free
  return {
    ...amountsOf(sums),
    free_orders: free,
    average_order: paid === 0 ? 0 : Math.floor(gross / paid + 0.5),
    new_buyers: newBuyers,
    returning_buyers: returningBuyers,
  }
}
