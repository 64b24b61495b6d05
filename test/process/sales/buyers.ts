import { Visitor } from '../../pages/visitor.ts'
import type { Server } from '../../support/server.ts'
import type { Row } from './books.ts'

const CARDS = ['4242424242424242', '4242424242424242', '4000000000000002', '4000002500003155', '4000000000005126']
const RENEWED_BY = ['4242424242424242', '4242424242424242', '4000000000000341']

/** What a shop sells, by the ids of its prices. */
export interface Wares {
  goods: string
  club: string
  code: string
}

/** What was answered before a kill: none of it may be lost. */
export interface Acknowledged {
  checkouts: Set<string>
  /** Checkouts whose page said that they are paid. */
  paid: Set<string>
  /** Refunds by their id, with the status that was answered. */
  refunds: Map<string, string>
  /** Keys of refunds that were asked for, whether or not an answer came. */
  keys: Map<string, { order: string; amount: number }>
}

let turns = 0

/** Buyers and a merchant at one server. Every method rejects when the server is killed meanwhile. */
export class Buyers {
  readonly #server: Pick<Server, 'url' | 'api'>
  readonly #token: string
  readonly #wares: Wares
  readonly #seen: Acknowledged
  readonly #leave: boolean
  /** What was answered by this server. */
  answers = 0

  constructor(
    server: Pick<Server, 'url' | 'api'>,
    token: string,
    { wares, seen, leave = true }: { wares: Wares; seen: Acknowledged; leave?: boolean },
  ) {
    this.#leave = leave

    this.#server = server
    this.#token = token
    this.#wares = wares
    this.#seen = seen
  }

  async buy(): Promise<void> {
    const turn = ++turns
    const discount = turn % 3 === 0 ? { discount_code: this.#wares.code } : {}
    const lines = [{ price_variant: this.#wares.goods, quantity: 1 + (turn % 2) }]
    await this.#checkOut({ line_items: lines, email: `buyer${turn % 7}@example.com`, ...discount }, CARDS[turn % 5]!)
  }

  async subscribe(): Promise<void> {
    const turn = ++turns
    const lines = [{ price_variant: this.#wares.club }]
    await this.#checkOut({ line_items: lines, email: `member${turn}@example.com` }, RENEWED_BY[turn % 3]!)
  }

  /** Refunds a part of an order that was paid before, or all of it; buys one where there is none yet. */
  async refund(): Promise<void> {
    const turn = ++turns
    const paid = [...this.#seen.paid]
    const checkout = paid[turn % paid.length]
    if (checkout === undefined) return this.buy()
    const { order } = await this.#api('GET', `/checkouts/${checkout}`)
    const { status, amount, amount_refunded } = await this.#api('GET', `/orders/${order}`)
    if (status !== 'succeeded' && status !== 'partially_refunded') return
    const left = amount - amount_refunded
    const key = `refund-${turn}`
    this.#seen.keys.set(key, { order, amount: turn % 2 === 0 ? left : Math.min(left, 10) })
    await this.ask(key)
  }

  /** Asks for a refund by its key. Others may have refunded the order meanwhile, which is an answer too. */
  async ask(key: string): Promise<void> {
    const body = { ...this.#seen.keys.get(key)!, metadata: { key } }
    const headers = { 'Idempotency-Key': key }
    const answer = await this.#server.api('POST', '/refunds', body, { token: this.#token, headers })
    if (answer.status === 201) this.#seen.refunds.set(answer.body.id, answer.body.status)
    else if (answer.status !== 400 && answer.status !== 422) throw new Error(answer.text)
    this.answers += 1
  }

  async #checkOut(cart: object, card: string): Promise<void> {
    const checkout = await this.#api('POST', '/checkouts', cart)
    this.#seen.checkouts.add(checkout.id)
    const visitor = new Visitor(this.#server.url)
    const page = await visitor.open(`/checkout/${checkout.client_secret}`)
    let next = await visitor.press(page, 'pay', { card })
    // Every fourth buyer leaves the page of the bank, where buyers do that.
    if (next.buttons.includes('approve') && !(this.#leave && turns % 4 === 0))
      next = await visitor.press(next, 'approve')
    if (next.status >= 500) throw new Error(next.text)
    const { status } = await this.#api('GET', `/checkouts/${checkout.id}`)
    if (status === 'complete') this.#seen.paid.add(checkout.id)
  }

  async #api(method: string, path: string, body?: object): Promise<Row> {
    const answer = await this.#server.api(method, path, body, { token: this.#token })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`)
    this.answers += 1
    return answer.body
  }
}
