import type {
  AccountUser,
  BuyerCaller,
  ProviderCaller,
  SessionCaller,
  VisitorCaller,
} from '../contract/declarations/caller.ts'
import { DAY_MS, HOUR_MS, laterBy, timestampOf } from '../contract/values/values.ts'
import type { Pipeline } from '../pipeline/run.ts'
import type { Context } from '../records/context.ts'
import { requireRow } from '../records/records.ts'
import type { Services } from '../records/services.ts'
import { FormSubmission } from '../resources/audience/form-submission/form-submission.ts'
import { CONFIRMATION_EVENTS, confirmSubmission } from '../resources/audience/form-submission/submit.ts'
import { EventSource } from '../resources/automation/event-source/event-source.ts'
import { receiveEvent } from '../resources/automation/event-source/jobs.ts'
import { runEvents } from '../resources/automation/task-run/end.ts'
import { Checkout } from '../resources/sales/checkout/checkout.ts'
import { type Paying, payCheckout } from '../resources/sales/checkout/pay.ts'
import { SALE_EVENTS } from '../resources/sales/payment/events.ts'
import type { ShopDatabase } from '../resources/tables.ts'

export type Body = Record<string, unknown> & { id: string }

export interface HistoryParts {
  pipeline: Pipeline
  database: ShopDatabase
  services: Services
  /** Moves the account's clock forward and runs every job that becomes due. */
  advanceClock(accountId: string, to: string): Promise<unknown>
}

/** Calls the API for the demo shop and its visitors, and stores responses under names for later calls. */
export class Shopkeeper {
  readonly parts: HistoryParts
  readonly accountId: string
  readonly #caller: SessionCaller
  readonly #present = timestampOf(new Date())
  readonly #named = new Map<string, Body>()

  constructor(parts: HistoryParts, { accountId, userId }: AccountUser) {
    this.parts = parts
    this.accountId = accountId
    this.#caller = { kind: 'session', sessionId: 'first start', accountId, userId, role: 'owner' }
  }

  /** Returns the time of the first start minus `days`, which may be a fraction. */
  before(days: number): string {
    return laterBy(this.#present, -days * DAY_MS)
  }

  /** Returns the time of a UTC hour on the day that is `days` after the first start, or before it if `days` is negative. */
  on(days: number, hour: number): string {
    return laterBy(`${this.#present.slice(0, 10)}T00:00:00Z`, days * DAY_MS + hour * HOUR_MS)
  }

  now(): Promise<string> {
    return this.parts.pipeline.visits.look(this.#caller, async ({ now }) => now)
  }

  get(path: string, query: Record<string, string> = {}): Promise<Body> {
    return this.#run({ method: 'GET', path, query, body: undefined })
  }

  async list<Listed = Body>(path: string, query: Record<string, string> = {}): Promise<Listed[]> {
    const { data } = (await this.get(path, { ...query, limit: '100' })) as Body & { data: Listed[] }
    return data
  }

  /** Replaces `@name` in the path and body with the id of the named response, and `@name.field` with that field. */
  async call(method: 'POST' | 'PATCH', path: string, body: object = {}): Promise<Body> {
    const written = path.replace(/@[^/]+/g, (name) => this.#resolve(name) as string)
    return this.#run({ method, path: written, query: {}, body: this.#resolve(body) as Record<string, unknown> })
  }

  remember(name: string, body: Body): void {
    this.#named.set(name, body)
  }

  named<Named extends { id: string } = Body>(name: string): Named {
    const found = this.#named.get(name)
    if (!found) throw new Error(`Nothing in the demo shop is called ${name} yet.`)
    return found as Named
  }

  /** Runs a transaction that may write rows for which the API has no operation. */
  transaction<Value>(work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.parts.pipeline.contexts.part(this.parts.database, this.#caller, [], work, { inTurn: true })
  }

  async pay(checkout: string, paying: Paying = {}): Promise<void> {
    const checkoutId = this.#resolve(checkout) as string
    const buyer: BuyerCaller = { kind: 'buyer', accountId: this.accountId, checkoutId }
    const pay = async (context: Context) => {
      await payCheckout(context, await requireRow(context, Checkout, checkoutId), paying)
    }
    await this.parts.pipeline.contexts.part(this.parts.database, buyer, SALE_EVENTS, pay, { inTurn: true })
  }

  async confirm(pageId: string): Promise<void> {
    const visitor: VisitorCaller = { kind: 'visitor', accountId: this.accountId, pageId }
    await this.parts.pipeline.visits.act(visitor, CONFIRMATION_EVENTS, async (context) =>
      confirmSubmission(context, await requireRow(context, FormSubmission, pageId)),
    )
  }

  async receive(source: string, { id, data }: { id: string; data: Record<string, unknown> }): Promise<void> {
    const caller: ProviderCaller = { kind: 'provider', accountId: this.accountId, provider: EventSource.name }
    const received = { event: { type: 'received', data }, id }
    await this.parts.pipeline.visits.act(caller, runEvents(this.parts.services), (context) =>
      receiveEvent(context, source, received),
    )
  }

  #resolve(value: unknown): unknown {
    if (typeof value === 'string') return value.startsWith('@') ? this.#fieldOf(value.slice(1)) : value
    if (Array.isArray(value)) return value.map((one) => this.#resolve(one))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#resolve(one)]))
  }

  #fieldOf(words: string): unknown {
    const [name, field = 'id'] = words.split('.')
    return this.named(name!)[field]
  }

  async #run(request: Pick<Parameters<Pipeline['run']>[0], 'method' | 'path' | 'query' | 'body'>): Promise<Body> {
    const answer = await this.parts.pipeline.runUnmetered({ ...request, caller: this.#caller })
    if (answer.status >= 400)
      throw new Error(`The demo shop was refused ${request.path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }
}
