import { ApiError } from '../contract/declarations/errors.ts'
import { waitInWords } from '../format/durations.ts'
import type { Spent } from './rate-limit.ts'
import type { CallBudget } from './request.ts'

/** The number of a program's calls that count as one request against the rate limit. */
export const CALLS_OF_A_PERMIT = 10
/** The maximum number of calls that are paid for at once. A long program pays for its calls in portions that grow to this size. */
const MOST_AT_ONCE = 100

/** The rate limit that the calls of a program count against, over all of its runs. */
export interface RunBudget extends CallBudget {
  /** Prepares for another run of the same program after a conflict. Calls that were already paid for do not count again. */
  rewind(): void
  settle?(): Promise<void>
}

export interface ProgramBudgetOptions {
  /** Whether the HTTP request that contains the program has already been counted, which pays for the first ten calls. */
  requestPaid: boolean
  /** Called with the headers `RateLimit-Policy` and `RateLimit` each time calls are counted against the limit, or restored to it. */
  onSpent?: ((headers: Record<string, string>) => void) | undefined
}

interface ProgramBudgetParts {
  burst: number
  spend(cost: number): Promise<Spent>
}

/** The rate limit of one program. It pays for its calls in growing portions, and the unused part is restored at the end. */
export class ProgramBudget implements RunBudget {
  readonly #parts: ProgramBudgetParts
  readonly #options: ProgramBudgetOptions
  #calls = 0
  #most = 0
  #paid: number
  #portion = CALLS_OF_A_PERMIT

  constructor(parts: ProgramBudgetParts, options: ProgramBudgetOptions) {
    this.#parts = parts
    this.#options = options
    this.#paid = options.requestPaid ? CALLS_OF_A_PERMIT : 0
  }

  rewind(): void {
    this.#calls = 0
  }

  async take(): Promise<void> {
    if (this.#calls >= this.#paid) await this.#pay()
    this.#calls += 1
    this.#most = Math.max(this.#most, this.#calls)
  }

  /** Restores the part of the rate limit that paid for calls which were not made. */
  async settle(): Promise<void> {
    const unused = this.#paid - Math.max(this.#most, CALLS_OF_A_PERMIT)
    if (unused <= 0) return
    this.#paid -= unused
    await this.#spend(-unused)
  }

  async #pay(): Promise<void> {
    if (this.#paid === 0) this.#portion = CALLS_OF_A_PERMIT
    let spent = await this.#spend(this.#portion)
    while (!spent.allowed && this.#portion > 1 && this.#paid > 0) {
      this.#portion = Math.floor(this.#portion / 2)
      spent = await this.#spend(this.#portion)
    }
    if (!spent.allowed) throw this.#refusal(spent.secondsUntilFull)
    this.#paid += this.#portion
    if (this.#portion >= CALLS_OF_A_PERMIT) this.#portion = Math.min(2 * this.#portion, MOST_AT_ONCE)
  }

  async #spend(calls: number): Promise<Spent> {
    const spent = await this.#parts.spend(calls / CALLS_OF_A_PERMIT)
    const { 'Retry-After': _, ...left } = spent.headers
    this.#options.onSpent?.(left)
    return spent
  }

  /** Returns the error for a program, which must wait until the limit has reset, because it may need any number of calls. */
  #refusal(seconds: number): ApiError {
    const most = this.#parts.burst * CALLS_OF_A_PERMIT
    const advice =
      this.#calls + 1 > most
        ? `A full budget allows a program at most ${most} calls: make fewer per program, and run the next in ${waitInWords(seconds)}. Over many rows, each_batch with # background: true waits by itself.`
        : `The budget was used up after ${this.#calls} calls of this program. Run it again in ${waitInWords(seconds)}, when the budget is full.`
    return new ApiError('rate_limit_exceeded', `Too many requests. ${advice}`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
}
