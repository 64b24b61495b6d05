import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { formatMoney } from '../../../words/money.ts'
import { taxOf } from './tax/compute.ts'

/** Payments at the lower price of a discount, and those after them. */
export interface Payments {
  lower: number
  /** Infinity: all of them. */
  lowerCount: number
  usual: number
}

/** The same payments with the taxes that are added to them. */
export function withTaxOn({ lower, lowerCount, usual }: Payments, added: readonly TaxRate[]): Payments {
  const taxed = (amount: number) => taxOf(amount, added).taxes.reduce((sum, tax) => sum + tax, amount)
  return { lower: taxed(lower), lowerCount, usual: taxed(usual) }
}

/** How often is paid, in how many payments; `all` is null where that goes on until it is canceled. */
interface Rhythm {
  every: string
  all: number | null
  /** The payments at the lower price, where later ones cost more. */
  lowered(low: string, count: number): string
}

/** What is paid and how often, without a full stop. */
export function scheduleOf({ lower, lowerCount, usual }: Payments, rhythm: Rhythm, currency: string): string {
  const [low, high] = [formatMoney(lower, currency), formatMoney(usual, currency)]
  const { every, all, lowered } = rhythm
  if (all !== null) return instalments({ all, lowerCount, low, high, every })
  if (lowerCount === 0) return `${high} ${every} until canceled`
  if (lowerCount === Number.POSITIVE_INFINITY) return `${low} ${every} until canceled, in place of ${high}`
  return `${lowered(low, lowerCount)}, then ${high} ${every} until canceled`
}

interface Instalments {
  all: number
  lowerCount: number
  low: string
  high: string
  every: string
}

function instalments({ all, lowerCount, low, high, every }: Instalments): string {
  if (lowerCount === 0) return `${all} payments of ${high}, one ${every}`
  if (lowerCount >= all) return `${all} payments of ${low}, one ${every}, in place of ${high}`
  return `${all} payments, one ${every}: ${lowerCount} of ${low}, then ${all - lowerCount} of ${high}`
}
