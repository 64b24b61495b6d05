import { setTimeout as delay } from 'node:timers/promises'
import { type Acknowledged, Buyers, type Wares } from '../../process/sales/buyers.ts'
import type { Receiver } from '../../support/receiver.ts'
import { request } from '../../support/request.ts'
import { rpc } from '../../support/server.ts'

/** A pace that the server keeps easily, so that the memory of a full queue is not what is measured. */
const PAUSE_MS = 100
const ALIVE_TASKS = 20
/** Programs that could not hold the writer long enough: a figure, not a failure. */
const STOPPED = 'stopped program'

/** Everything that happens at a busy service at once. */
export class Crowd {
  readonly acts: Record<string, number> = {}
  readonly #url: string
  readonly #token: string
  readonly #receiver: Receiver
  readonly #tasks: string[] = []

  constructor({ url, token, receiver }: { url: string; token: string; receiver: Receiver }) {
    this.#url = url
    this.#token = token
    this.#receiver = receiver
  }

  /** Until `over` says so. Rejects with the first thing that goes wrong. */
  async work(over: () => boolean): Promise<void> {
    const wares = await this.#stock()
    const seen: Acknowledged = { checkouts: new Set(), paid: new Set(), refunds: new Map(), keys: new Map() }
    const buyers = new Buyers({ url: this.#url, api: this.#api }, this.#token, { wares, seen })
    const hook = { url: `${this.#receiver.url}/hook`, enabled_events: ['*'] }
    await this.#post('/webhook_endpoints', hook)
    const social = await this.#post('/social_accounts', {
      platform: 'x',
      username: 'soak',
      credentials: { token: 'works' },
    })
    const acts: Record<string, () => Promise<unknown>> = {
      sale: () => buyers.buy(),
      refund: () => buyers.refund(),
      subscription: () => buyers.subscribe(),
      program: () => this.#program(),
      task: () => this.#task(),
      post: () => this.#post('/social_posts', { social_accounts: [social.id], content: 'Hello', publish_now: true }),
      page: () => this.#pages(),
    }
    await Promise.all(Object.entries(acts).map(([name, act]) => this.#repeat(name, act, over)))
  }

  async #repeat(name: string, act: () => Promise<unknown>, over: () => boolean): Promise<void> {
    while (!over()) {
      await act()
      this.acts[name] = (this.acts[name] ?? 0) + 1
      // What was heard is not kept: this is the server's soak.
      this.#receiver.received.length = 0
      await delay(PAUSE_MS)
    }
  }

  async #stock(): Promise<Wares> {
    const product = await this.#post('/products', { name: 'Tea', status: 'active' })
    const price = { product_id: product.id, amount: 700, quantity_available: 10_000_000 }
    const goods = await this.#post('/price_variants', price)
    const recurring = { billing_type: 'subscription', recurring_interval: 'month' }
    const club = await this.#post('/price_variants', { product_id: product.id, amount: 1500, ...recurring })
    const { code } = await this.#post('/discounts', { code: 'TEA', discount_type: 'percent_off', percent_off: 10 })
    return { goods: goods.id!, club: club.id!, code: code! }
  }

  async #program(): Promise<void> {
    const code = `page = get('/customers', limit: 5)[:data]\npatch("/customers/#{page[0][:id]}", name: 'Soak') if page[0]\npage.size`
    const call = { name: 'code_execute', arguments: { code } }
    const { status, body } = await rpc(
      `${this.#url}/mcp`,
      { Authorization: `Bearer ${this.#token}` },
      'tools/call',
      call,
    )
    const stopped = body.result?.structuredContent?.error?.type === 'writer_held_too_long'
    // On a machine that is busy with something else: nothing was saved, and the next program asks again.
    if (stopped) this.acts[STOPPED] = (this.acts[STOPPED] ?? 0) + 1
    else if (status !== 200 || body.result?.isError) throw new Error(JSON.stringify(body))
  }

  /** A task runs at once; the oldest are deleted, so that there are as many at any time. */
  async #task(): Promise<void> {
    const prompt = `# ruby\nget('/orders', limit: 3)[:data].size`
    const { id } = await this.#post('/tasks', { name: 'Count orders', prompt })
    this.#tasks.push(id as string)
    if (this.#tasks.length > ALIVE_TASKS) await this.#api('DELETE', `/tasks/${this.#tasks.shift()}`)
  }

  async #pages(): Promise<void> {
    for (const path of ['/docs', '/sign-in', '/v1/openapi.json']) {
      const answer = await fetch(this.#url + path)
      await answer.arrayBuffer()
      if (answer.status >= 500) throw new Error(`${path}: ${answer.status}`)
    }
  }

  async #post(path: string, body: object): Promise<Record<string, string>> {
    const answer = await this.#api('POST', path, body)
    if (answer.status >= 400) throw new Error(`POST ${path}: ${answer.text}`)
    return answer.body
  }

  readonly #api = (method: string, path: string, body?: unknown, options: object = {}) =>
    request(this.#url, this.#token, method, path, body, options)
}
