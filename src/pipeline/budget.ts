import { isUser } from '../contract/declarations/caller.ts'
import { tooManyRequests } from '../contract/declarations/errors.ts'
import { BatchBudget } from './batch-budget.ts'
import { ProgramBudget, type ProgramBudgetOptions } from './program-budget.ts'
import { type RatePolicy, type Spent, spend, type TakePermit } from './rate-limit.ts'
import type { Caller, OperationAnswer } from './request.ts'

type AnswerHeaders = Pick<OperationAnswer, 'headers'>

export class Budget {
  readonly #takePermit: TakePermit
  readonly #policy: RatePolicy
  readonly #slowPerMinute: number

  constructor(takePermit: TakePermit, policy: RatePolicy, slowPerMinute: number) {
    this.#takePermit = takePermit
    this.#policy = policy
    this.#slowPerMinute = slowPerMinute
  }

  async spend(caller: Caller, cost = 1): Promise<Spent> {
    if (isUnlimited(caller)) return UNLIMITED
    return spend(this.#takePermit, caller, this.#policy, cost)
  }

  ofProgram(caller: Caller, options: ProgramBudgetOptions): ProgramBudget {
    const { burst } = this.#policy
    return new ProgramBudget({ burst, spend: (cost) => this.spend(caller, cost) }, options)
  }

  /**
   * Returns the rate limit for one batch of a background program. Background programs use at most half of their caller's rate limit, so
   * that the caller can still send other requests. `paid` is the number of calls of the batch that an earlier attempt has paid for.
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

  /** Counts one request and sets the rate limit headers of the response. Throws `rate_limit_exceeded` if the limit is exhausted. */
  async take(caller: Caller, answer: AnswerHeaders): Promise<void> {
    const { allowed, headers } = await this.spend(caller)
    Object.assign(answer.headers, headers)
    if (!allowed) throw tooManyRequests(headers)
  }

  /**
   * Counts one request against a slow operation's separate rate limit. The headers list both limits, as the IETF draft allows. A refused
   * program has to wait until this limit has reset, because the number of calls that the whole program needs is unknown.
   */
  async takeSlow(operationId: string, caller: Caller, answer: AnswerHeaders, inProgram: boolean): Promise<void> {
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

/** Returns whether a caller has no rate limit, because it has direct access to the database. */
function isUnlimited(caller: Caller): boolean {
  return isUser(caller) && caller.unlimited === true
}
