import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import { formatMoney } from '../../../format/money.ts'
import { taxOf } from './tax/compute.ts'

/** `lower` is the amount of a discounted payment and `usual` that of any other, in minor units. */
export interface Payments {
  lower: number
  /** The number of discounted payments; Infinity if all are discounted. */
  lowerCount: number
  usual: number
}

/** `added` are the tax rates that prices do not include. */
export function withTaxOn({ lower, lowerCount, usual }: Payments, added: readonly TaxRate[]): Payments {
  const taxed = (amount: number) => taxOf(amount, added).taxes.reduce((sum, tax) => sum + tax, amount)
  return { lower: taxed(lower), lowerCount, usual: taxed(usual) }
}

/** `all` is the number of payments; null if they continue until cancellation. */
interface PaymentRhythm {
  every: string
  all: number | null
  /** Describes the discounted payments when later payments cost more. */
  lowered(low: string, count: number): string
}

/** Describes the payments and their interval, without a full stop. */
export function scheduleOf({ lower, lowerCount, usual }: Payments, rhythm: PaymentRhythm, currency: string): string {
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
