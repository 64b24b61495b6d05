import type { Context } from '../records/context.ts'
import type { Draft } from './drafts.ts'
import type { Memory } from './memory.ts'

export interface Counts {
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

export type Take<D extends Draft> = (context: Context, memory: Memory, items: readonly Item<D>[]) => Promise<Outcome>
