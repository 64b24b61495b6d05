import type { TokenOwner } from '../access/tokens.ts'
import type { BuyerCaller, SessionCaller } from '../contract/caller.ts'
import { laterBy, timestampOf } from '../contract/values.ts'
import type { Database } from '../database/database.ts'
import type { Pipeline } from '../pipeline/run.ts'
import { requireRow } from '../records/records.ts'
import { Checkout } from '../resources/sales/checkout/checkout.ts'
import { payCheckout } from '../resources/sales/checkout/pay.ts'
import { SALE_EVENTS } from '../resources/sales/payment/events.ts'
import type { Tables } from '../resources/tables.ts'
import { type Happening, SALES } from './sales.ts'

type Body = Record<string, unknown> & { id: string }

const DAY_MS = 24 * 60 * 60 * 1000

/** What the history needs of the running service. */
export interface HistoryParts {
  pipeline: Pipeline
  database: Database<Tables>
  /** Moves the account's clock; what falls due on the way happens. */
  advanceClock(accountId: string, to: string): Promise<unknown>
}

/**
 * Lives through half a year of the demo shop: buyers, refunds, invoices, and all that falls due between, by the same rules as in
 * life. At the end its clock shows the present.
 */
export async function liveDemoHistory(parts: HistoryParts, owner: TokenOwner): Promise<void> {
  const history = new History(parts, owner)
  const present = timestampOf(new Date())
  for (const [daysAgo, happenings] of Map.groupBy(SALES, (one) => one.daysAgo)) {
    await parts.advanceClock(owner.accountId, laterBy(present, -daysAgo * DAY_MS))
    for (const happening of happenings) await history.happen(happening)
  }
  await parts.advanceClock(owner.accountId, timestampOf(new Date()))
}

class History {
  readonly #parts: HistoryParts
  readonly #caller: SessionCaller
  /** Orders, subscriptions and invoices that later happenings name. */
  readonly #known = new Map<string, Body>()

  constructor(parts: HistoryParts, { accountId, userId }: TokenOwner) {
    this.#parts = parts
    this.#caller = { kind: 'session', sessionId: 'first start', accountId, userId, role: 'owner' }
  }

  async happen(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'buy':
        return this.#buy(happening)
      case 'refund': {
        const { amount, reason } = happening
        const { order } = this.#named(happening.of)
        await this.#post('/refunds', { order, reason, ...(amount !== undefined && { amount }) })
        return
      }
      case 'invoice':
        return this.#bill(happening)
      case 'pay_invoice':
        return this.#pay(await this.#post('/checkouts', { invoice: this.#named(happening.of).id }))
      case 'void_invoice':
        await this.#post(`/invoices/${this.#named(happening.of).id}/void`)
        return
      default:
        await this.#post(`/subscriptions/${this.#named(happening.of).subscription}/${happening.kind}`, happening.body)
    }
  }

  async #buy({ email, name, items, card, code, as }: Extract<Happening, { kind: 'buy' }>): Promise<void> {
    const line_items = []
    for (const [product, price, quantity = 1] of items)
      line_items.push({ price_variant: await this.#price(product, price), quantity })
    const open = await this.#post('/checkouts', { line_items, email, ...(code && { discount_code: code }) })
    if (open.status === 'open') await this.#pay(open, { name, ...(card && { card }) })
    if (as) this.#known.set(as, await this.#call('GET', `/checkouts/${open.id}`))
  }

  async #bill({ email, name, item, dueInDays, as }: Extract<Happening, { kind: 'invoice' }>): Promise<void> {
    const now = await this.#now()
    const invoice = await this.#post('/invoices', {
      ...{ email_address: email, customer_name: name, price_variant: await this.#price(...item) },
      due_at: laterBy(now, dueInDays * DAY_MS),
    })
    if (as) this.#known.set(as, invoice)
  }

  async #pay({ id }: Body, paying: { card?: string; name?: string } = {}): Promise<void> {
    const { pipeline, database } = this.#parts
    const buyer: BuyerCaller = { kind: 'buyer', accountId: this.#caller.accountId, checkoutId: id }
    const pay = async (context: Parameters<typeof payCheckout>[0]) => {
      await payCheckout(context, await requireRow(context, Checkout, id), paying)
    }
    await pipeline.applier.part(database, buyer, SALE_EVENTS, pay, { inTurn: true })
  }

  async #price(product: string, name: string): Promise<string> {
    const { data } = (await this.#call('GET', '/products', { query: product })) as unknown as { data: Body[] }
    const prices = data.flatMap((one) => one.price_variants as Body[])
    return prices.find((price) => price.name === name)!.id
  }

  /** The present by the shop's clock. */
  async #now(): Promise<string> {
    const buyer: BuyerCaller = { kind: 'buyer', accountId: this.#caller.accountId, checkoutId: '' }
    const { pipeline, database } = this.#parts
    return pipeline.applier.part(database, buyer, [], async ({ now }) => now)
  }

  #named(name: string): Body {
    const found = this.#known.get(name)
    if (!found) throw new Error(`Nothing in the demo shop is called ${name} yet.`)
    return found
  }

  #post(path: string, body: object = {}): Promise<Body> {
    return this.#call('POST', path, body)
  }

  async #call(method: string, path: string, values: object = {}): Promise<Body> {
    const parameters = method === 'GET' ? { query: { ...values }, body: undefined } : { query: {}, body: values }
    const answer = await this.#parts.pipeline.runUnmetered({ method, path, ...parameters, caller: this.#caller })
    if (answer.status >= 400) throw new Error(`The demo shop was refused ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Body
  }
}
