import { ApiError } from '../contract/declarations/errors.ts'
import { waitInWords } from '../words/durations.ts'
import type { Spent } from './rate-limit.ts'
import type { CallBudget } from './request.ts'

/** Calls of a program that one permit pays for. */
export const CALLS_OF_A_PERMIT = 10

/** What the calls of a program spend from, through all of its runs. */
export interface RunBudget extends CallBudget {
  /** A new run of the same program begins, because others changed what it had read. It pays for no call again. */
  rewind(): void
}

export interface ProgramBudgetOptions {
  /** The request that brought the program has paid its first permit. */
  requestPaid: boolean
  /** Hears what is left each time that something was spent: `RateLimit-Policy` and `RateLimit`. */
  onSpent?: ((headers: Record<string, string>) => void) | undefined
}

interface Parts {
  /** Permits of a full budget. */
  burst: number
  spend(cost: number): Promise<Spent>
}

/** What one program spends: a whole permit for its first ten calls, and a tenth of one for each further call. */
export class ProgramBudget implements RunBudget {
  readonly #parts: Parts
  readonly #options: ProgramBudgetOptions
  /** Calls of this run of the program. */
  #calls = 0
  /** Calls that any run of it has paid for. */
  #paid: number

  constructor(parts: Parts, options: ProgramBudgetOptions) {
    this.#parts = parts
    this.#options = options
    this.#paid = options.requestPaid ? CALLS_OF_A_PERMIT : 0
  }

  /** A new run of the same program begins, because others changed what it had read. It pays for no call again. */
  rewind(): void {
    this.#calls = 0
  }

  async take(): Promise<void> {
    if (this.#calls >= this.#paid) await this.#pay()
    this.#calls += 1
  }

  async #pay(): Promise<void> {
    const first = this.#paid === 0
    const { allowed, headers, secondsUntilFull } = await this.#parts.spend(first ? 1 : 1 / CALLS_OF_A_PERMIT)
    const { 'Retry-After': _, ...left } = headers
    this.#options.onSpent?.(left)
    if (!allowed) throw this.#refusal(secondsUntilFull)
    this.#paid += first ? CALLS_OF_A_PERMIT : 1
  }

  /** Nobody knows how many calls the whole program needs, so it waits until the budget is full. */
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
