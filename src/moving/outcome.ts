import type { Draft } from './drafts.ts'

/** What became of things, or would in a dry run. */
export interface Counts {
  /** New here. */
  made: number
  /** Was here before, and is left as it is. */
  existing: number
  /** An earlier import has taken it. */
  again: number
  /** Customers who are known from orders and subscriptions alone. */
  customers: number
  /** Archived products for lines whose product is not here. */
  products: number
  /** Prices of new products, or for them. */
  prices: number
}

/** A thing with the line on which it begins. */
export interface Item<D extends Draft = Draft> {
  line: number
  draft: D
}

/** Why a thing cannot be taken, which shows only in the shop itself. */
export interface Refusal {
  line: number
  column: string
  value: string
  message: string
}

export interface Outcome extends Counts {
  refused: Refusal[]
}

export function noOutcome(): Outcome {
  return { made: 0, existing: 0, again: 0, customers: 0, products: 0, prices: 0, refused: [] }
}
