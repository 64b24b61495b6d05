import { isUser } from '../contract/declarations/caller.ts'
import { tooManyRequests } from '../contract/declarations/errors.ts'
import { BatchBudget } from './batch-budget.ts'
import { ProgramBudget, type ProgramBudgetOptions } from './program-budget.ts'
import { type RatePolicy, type Spent, spend, type TakePermit } from './rate-limit.ts'
import type { Caller, OperationAnswer } from './request.ts'

type Answered = Pick<OperationAnswer, 'headers'>

/** What callers may ask for, and what is left of it. */
export class Budget {
  readonly #takePermit: TakePermit
  readonly #policy: RatePolicy
  readonly #slowPerMinute: number

  constructor(takePermit: TakePermit, policy: RatePolicy, slowPerMinute: number) {
    this.#takePermit = takePermit
    this.#policy = policy
    this.#slowPerMinute = slowPerMinute
  }

  /** Spends one request of a caller's budget, as a call of an operation does, or the `cost` in requests of something else. */
  async spend(caller: Caller, cost = 1): Promise<Spent> {
    if (isUnlimited(caller)) return UNLIMITED
    return spend(this.#takePermit, caller, this.#policy, cost)
  }

  /** The budget that one program of a caller spends from. */
  ofProgram(caller: Caller, options: ProgramBudgetOptions): ProgramBudget {
    const { burst } = this.#policy
    return new ProgramBudget({ burst, spend: (cost) => this.spend(caller, cost) }, options)
  }

  /**
   * The budget that a batch of a background program spends from: that of its caller, of which such programs use no more than
   * half, so that the caller can still look at them and work. `paid` calls of the batch are paid for already.
   */
  ofBatch(caller: Caller, paid: number, onEmpty: () => void): BatchBudget {
    const { perMinute, burst } = this.#policy
    const half = { name: 'background', perMinute: perMinute / 2, burst: Math.max(1, burst / 2) }
    const permit = async () => {
      if (isUnlimited(caller)) return UNLIMITED
      const own = await spend(this.#takePermit, caller, half)
      return own.allowed ? this.spend(caller) : own
    }
    return new BatchBudget({ spend: permit, onEmpty }, paid)
  }

  /** Spends one request and says in the answer's headers what is left. Throws `rate_limit_exceeded` when nothing was left. */
  async take(caller: Caller, answer: Answered): Promise<void> {
    const { allowed, headers } = await this.spend(caller)
    Object.assign(answer.headers, headers)
    if (!allowed) throw tooManyRequests(headers)
  }

  /**
   * Spends from the own budget of a slow operation. The headers tell of both, as the draft's lists allow. A program that is
   * refused has to wait until that budget is full, because nobody knows how much of it the whole program needs.
   */
  async takeSlow(operationId: string, caller: Caller, answer: Answered, inProgram: boolean): Promise<void> {
    if (isUnlimited(caller)) return
    const policy = { name: operationId, perMinute: this.#slowPerMinute, burst: this.#slowPerMinute }
    const { allowed, headers, secondsUntilFull } = await spend(this.#takePermit, caller, policy)
    for (const name of ['RateLimit-Policy', 'RateLimit']) {
      const general = answer.headers[name]
      answer.headers[name] = general === undefined ? headers[name]! : `${general}, ${headers[name]}`
    }
    if (allowed) return
    throw tooManyRequests({ 'Retry-After': inProgram ? String(secondsUntilFull) : headers['Retry-After']! })
  }
}

const UNLIMITED: Spent = { allowed: true, headers: {}, secondsUntilFull: 0 }

/** Whoever holds the data itself needs no turn. */
function isUnlimited(caller: Caller): boolean {
  return isUser(caller) && caller.unlimited === true
}
