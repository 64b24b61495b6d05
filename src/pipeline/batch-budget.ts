import { ApiError } from '../contract/declarations/errors.ts'
import { CALLS_OF_A_PERMIT, type RunBudget } from './program-budget.ts'
import type { Spent } from './rate-limit.ts'

interface BatchBudgetParts {
  /** Spends from the share for background programs, then from the caller's whole budget. */
  spend(): Promise<Spent>
  /** Called when the budget is exhausted: the batch has to be abandoned and retried later. */
  onEmpty(): void
}

/**
 * The budget of one batch of a background program: one permit pays for ten calls. When the budget runs out, the batch is rolled back and
 * retried once the budget is full, and the retry does not pay again for calls that were already paid for.
 */
export class BatchBudget implements RunBudget {
  readonly #parts: BatchBudgetParts
  #calls = 0
  /** Calls paid for so far, including earlier attempts of the batch. */
  paid: number
  /** Seconds until the budget is full; null while permits are left. */
  waitSeconds: number | null = null

  constructor(parts: BatchBudgetParts, paid: number) {
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
