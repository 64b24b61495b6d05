import { ApiError } from '../contract/declarations/errors.ts'
import { CALLS_OF_A_PERMIT, type RunBudget } from './program-budget.ts'
import type { Spent } from './rate-limit.ts'

interface Parts {
  /** From what background programs of the caller may use, and then from all that the caller may. */
  spend(): Promise<Spent>
  /** Nothing is left: the batch has to be given up, and begun again later. */
  onEmpty(): void
}

/**
 * What one batch of a background program spends: a permit for every ten calls. Where nothing is left, the batch is undone and
 * done again once the budget is full, and then does not pay again for the calls that it has paid for.
 */
export class BatchBudget implements RunBudget {
  readonly #parts: Parts
  #calls = 0
  /** Calls that are paid for, in earlier attempts of the batch too. */
  paid: number
  /** Seconds until the budget is full; null as long as it lasts. */
  waitSeconds: number | null = null

  constructor(parts: Parts, paid: number) {
    this.#parts = parts
    this.paid = paid
  }

  rewind(): void {
    this.#calls = 0
  }

  async take(): Promise<void> {
    if (this.#calls >= this.paid) await this.#pay()
    this.#calls += 1
  }

  async #pay(): Promise<void> {
    const { allowed, secondsUntilFull } = await this.#parts.spend()
    if (!allowed) {
      this.waitSeconds = secondsUntilFull
      this.#parts.onEmpty()
      throw new ApiError('rate_limit_exceeded', 'The batch waits until its rate limit allows more calls.')
    }
    this.paid += CALLS_OF_A_PERMIT
  }
}
