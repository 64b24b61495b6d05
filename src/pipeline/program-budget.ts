import { ApiError } from '../contract/declarations/errors.ts'
import { waitInWords } from '../words/durations.ts'
import type { Spent } from './rate-limit.ts'
import type { CallBudget } from './request.ts'

/** Calls of a program that one permit pays for. */
export const CALLS_OF_A_PERMIT = 10
/** So many calls are paid for at once, so that a long program does not ask for each. */
const MOST_AT_ONCE = 100

/** What the calls of a program spend from, through all of its runs. */
export interface RunBudget extends CallBudget {
  /** A new run of the same program begins, because others changed what it had read. It pays for no call again. */
  rewind(): void
  /** The program is over. */
  settle?(): Promise<void>
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

/**
 * What one program spends: a whole permit for its first ten calls, and a tenth of one for each further call. It pays for more and more
 * calls at once, and gets back at its end what it did not use.
 */
export class ProgramBudget implements RunBudget {
  readonly #parts: Parts
  readonly #options: ProgramBudgetOptions
  /** Calls of this run of the program. */
  #calls = 0
  /** The most calls of any of its runs. */
  #most = 0
  /** Calls that any run of it has paid for. */
  #paid: number
  /** Calls that the next payment is for. */
  #portion = CALLS_OF_A_PERMIT

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
    this.#most = Math.max(this.#most, this.#calls)
  }

  /** Gives back what was paid for calls that were not made. */
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
