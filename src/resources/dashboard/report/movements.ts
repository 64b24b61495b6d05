import { addSums } from './figures.ts'
import type { Range } from './range.ts'
import type { Movement, Recurring } from './report.ts'

/** A period during which a subscription has recurring revenue. */
export interface Paying {
  customer: string
  currency: string
  /** Revenue per month in minor units. */
  monthly: number
  from: string
  /** Null while the subscription is active. */
  until: string | null
}

/** The changes of a buyer's monthly revenue by step. Step 0 is the start of the range. */
interface BuyerChanges {
  customer: string
  changes: Map<number, number>
  /** The step in which the buyer first began to pay, even if the subscription ended in the same step. */
  first: number
}

/** Computes recurring revenue per month after each step and why it changed. A buyer's subscriptions must be added one after another. */
export class Movements {
  readonly #range: Range
  /** The start of the range and the end of each step. */
  readonly #moments: string[]
  readonly #all = new Map<string, { start: number; steps: Movement[] }>()
  readonly #buyers = new Map<string, BuyerChanges>()

  constructor(range: Range) {
    this.#range = range
    const { steps, span } = range
    this.#moments = [span.from, ...steps.map(({ until }) => (until < span.until ? until : span.until))]
  }

  add({ customer, currency, monthly, from, until }: Paying): void {
    let buyer = this.#buyers.get(currency)
    if (buyer?.customer !== customer) {
      if (buyer) this.#close(currency, buyer)
      buyer = { customer, changes: new Map(), first: Number.POSITIVE_INFINITY }
      this.#buyers.set(currency, buyer)
    }
    const { changes } = buyer
    const [begins, ends] = [this.#placeOf(from), until === null ? this.#moments.length : this.#placeOf(until)]
    buyer.first = Math.min(buyer.first, begins)
    if (ends <= begins) return
    changes.set(begins, (changes.get(begins) ?? 0) + monthly)
    changes.set(ends, (changes.get(ends) ?? 0) - monthly)
  }

  all(): Map<string, Recurring> {
    for (const [currency, buyer] of this.#buyers) this.#close(currency, buyer)
    this.#buyers.clear()
    return new Map([...this.#all].map(([currency, { start, steps }]) => [currency, this.#recurring(start, steps)]))
  }

  /** Returns the index of the first moment after the given one, or the number of moments if there is none. */
  #placeOf(moment: string): number {
    let [low, high] = [0, this.#moments.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#moments[middle] ?? '') > moment) high = middle
      else low = middle + 1
    }
    return low
  }

  #close(currency: string, { changes, first }: BuyerChanges): void {
    const own = this.#all.get(currency) ?? { start: 0, steps: this.#range.steps.map(() => ({ ...NO_MOVEMENT })) }
    this.#all.set(currency, own)
    let paid = 0
    for (const [place, change] of [...changes].toSorted(([one], [other]) => one - other)) {
      if (change === 0) continue
      const step = own.steps[place - 1]
      if (place === 0) own.start += change
      else if (step) step[kindOf(change, paid, first < place)] += Math.abs(change)
      paid += change
    }
  }

  #recurring(start: number, steps: readonly Movement[]): Recurring {
    const total = { ...NO_MOVEMENT }
    let end = start
    const points = this.#range.steps.map(({ days }, place) => {
      const movement = steps[place] ?? NO_MOVEMENT
      addSums(total, movement)
      end += movement.new + movement.expansion + movement.reactivation - movement.contraction - movement.churn
      return { ...days, ...movement, end }
    })
    return { start, ...total, end, points }
  }
}

export const NO_MOVEMENT: Movement = { new: 0, expansion: 0, reactivation: 0, contraction: 0, churn: 0 }

/** Classifies a change. `paid` is the buyer's monthly revenue before it, and `known` whether the buyer had ever paid before. */
function kindOf(change: number, paid: number, known: boolean): keyof Movement {
  if (change < 0) return paid + change === 0 ? 'churn' : 'contraction'
  if (paid > 0) return 'expansion'
  return known ? 'reactivation' : 'new'
}
