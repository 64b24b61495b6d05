import { ApiError } from '../contract/declarations/errors.ts'
import { CALLS_OF_A_PERMIT, type RunBudget } from './program-budget.ts'
import type { Spent } from './rate-limit.ts'

interface BatchBudgetParts {
  /** Counts one request against the rate limit for background programs, then against the caller's whole rate limit. */
  spend(): Promise<Spent>
  /** Called when the rate limit is exhausted. The batch must then be rolled back and retried later. */
  onEmpty(): void
}

/**
 * The rate limit of one batch of a background program, in which ten calls count as one request. When the limit is exhausted, the batch is
 * rolled back and retried after it has reset; the retry does not count the paid calls again.
 */
export class BatchBudget implements RunBudget {
  readonly #parts: BatchBudgetParts
  #calls = 0
  /** The number of calls that are paid for, including those of earlier attempts of the batch. */
  paid: number
  /** The seconds until the rate limit has reset; null unless it is exhausted. */
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
