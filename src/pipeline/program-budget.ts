import { ApiError } from '../contract/declarations/errors.ts'
import { waitInWords } from '../format/durations.ts'
import type { Spent } from './rate-limit.ts'
import type { CallBudget } from './request.ts'

/** The number of a program's calls that one permit pays for. */
export const CALLS_OF_A_PERMIT = 10
/** The maximum number of calls that are paid for at once: a long program then pays for its calls in larger portions. */
const MOST_AT_ONCE = 100

/** The budget that the calls of a program spend from, through all of its runs. */
export interface RunBudget extends CallBudget {
  /** Starts another run of the same program after a conflict with another transaction. Calls that were paid for are not paid for again. */
  rewind(): void
  /** Returns unused permits when the program has ended. */
  settle?(): Promise<void>
}

export interface ProgramBudgetOptions {
  /** Whether the request that carries the program has already paid for its first permit. */
  requestPaid: boolean
  /** Called with the `RateLimit-Policy` and `RateLimit` headers after each payment. */
  onSpent?: ((headers: Record<string, string>) => void) | undefined
}

interface ProgramBudgetParts {
  /** The number of permits of a full budget. */
  burst: number
  spend(cost: number): Promise<Spent>
}

/**
 * The budget of one program: a whole permit for its first ten calls, and a tenth of a permit for each further call. It pays for growing
 * portions of calls in advance and returns the unused part at the end.
 */
export class ProgramBudget implements RunBudget {
  readonly #parts: ProgramBudgetParts
  readonly #options: ProgramBudgetOptions
  /** Calls of the current run. */
  #calls = 0
  /** The highest number of calls of any run. */
  #most = 0
  /** Calls that are paid for, by any run. */
  #paid: number
  /** The number of calls that the next payment covers. */
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

  /** Returns the permits that paid for calls that were not made. */
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

  /** The number of calls that the whole program needs is unknown, so it has to wait until the budget is full. */
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
