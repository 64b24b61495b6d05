import { isUser } from '../contract/caller.ts'
import { tooManyRequests } from '../contract/errors.ts'
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

  /** Spends one request of a caller's budget, as a call of an operation does. */
  async spend(caller: Caller): Promise<Spent> {
    if (isUnlimited(caller)) return { allowed: true, headers: {} }
    return spend(this.#takePermit, caller, this.#policy)
  }

  /** Spends one request and says in the answer's headers what is left. Throws `rate_limit_exceeded` when nothing was left. */
  async charge(caller: Caller, answer: Answered): Promise<void> {
    const { allowed, headers } = await this.spend(caller)
    Object.assign(answer.headers, headers)
    if (!allowed) throw tooManyRequests(headers)
  }

  /** Spends from the own budget of a slow operation. The headers tell of both, as the draft's lists allow. */
  async chargeSlow(operationId: string, caller: Caller, answer: Answered): Promise<void> {
    if (isUnlimited(caller)) return
    const policy = { name: operationId, perMinute: this.#slowPerMinute, burst: this.#slowPerMinute }
    const { allowed, headers } = await spend(this.#takePermit, caller, policy)
    for (const name of ['RateLimit-Policy', 'RateLimit']) {
      const general = answer.headers[name]
      answer.headers[name] = general === undefined ? headers[name]! : `${general}, ${headers[name]}`
    }
    if (!allowed) throw tooManyRequests({ 'Retry-After': headers['Retry-After']! })
  }
}

/** Whoever holds the data itself needs no turn. */
function isUnlimited(caller: Caller): boolean {
  return isUser(caller) && caller.unlimited === true
}
