import type { Context } from '../../../records/context.ts'
import type { Draft } from '../formats/drafts.ts'
import type { Memory } from './memory.ts'

export interface Counts {
  made: number
  /** The number of objects that existed already and stay unchanged. */
  existing: number
  /** The number of objects that an earlier import has created. */
  again: number
  /** The number of created customers that only occur in orders and subscriptions. */
  customers: number
  /** The number of archived products that were created for order lines whose product does not exist. */
  products: number
  prices: number
}

/** An object to import, with the line of the file on which it begins. */
export interface Item<D extends Draft = Draft> {
  line: number
  draft: D
}

/** The reason why an object cannot be imported, found by comparing it with the shop's data. */
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
