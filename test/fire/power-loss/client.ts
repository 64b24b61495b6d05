import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Random } from './random.ts'

/** A row as an answer said that it is; null: there is none. Numbers and texts of some columns. */
export interface Effect {
  table: string
  id: string
  row: Record<string, string | number> | null
}

/** An answer that came, by the port of its connection, of which each request has one of its own, and who was told. */
export interface Acknowledged {
  client: string
  port: number
  effects: Effect[]
}

interface Answer {
  text: string
  acknowledged: Acknowledged
}

/** What one client does, one request after the other, and what it was told. */
export class Client {
  readonly #answers: Acknowledged[]
  readonly #port: number
  readonly #token: string
  readonly #random: Random
  readonly #name: string
  #turn = 0

  /** `answers` takes those of all clients in the order in which they came: a port may be used again. */
  constructor(
    { port, token, seed, name }: { port: number; token: string; seed: number; name: string },
    answers: Acknowledged[],
  ) {
    this.#answers = answers
    this.#port = port
    this.#token = token
    this.#random = new Random(seed)
    this.#name = name
  }

  /** Something of what a shop does: a sale, a file, a program, a deletion. */
  async act(price: string): Promise<void> {
    this.#turn += 1
    const acts = [() => this.#sell(price), () => this.#upload(), () => this.#program(), () => this.#sell(price)]
    await this.#random.pick(acts)()
  }

  async stock(): Promise<string> {
    const product = await this.#json('POST', '/v1/products', { name: 'Tea', status: 'active' })
    const price = { product_id: product.id, amount: 700, quantity_available: 1_000_000 }
    return (await this.#json('POST', '/v1/price_variants', price)).id as string
  }

  async #sell(price: string): Promise<void> {
    const cart = {
      line_items: [{ price_variant: price, quantity: 1 }],
      email: `${this.#name}${this.#turn % 5}@example.com`,
    }
    const checkout = await this.#json('POST', '/v1/checkouts', cart, ({ id }) => [
      { table: 'checkouts', id: String(id), row: { total: 700 } },
    ])
    const page = await this.#ask('GET', new URL(String(checkout.url)).pathname)
    const [, address = '', agreed = ''] =
      /action="([^"]+)">\n<input type="hidden" name="agreed" value="([^"]+)"/.exec(page.text) ?? []
    const form = new URLSearchParams({ do: 'pay', agreed, card: '4242424242424242' }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    await this.#ask('POST', new URL(address, 'http://shop').pathname, form, headers)
    await this.#json('GET', `/v1/checkouts/${checkout.id}`, undefined, ({ id, status, order }): Effect[] =>
      status === 'complete'
        ? [
            { table: 'checkouts', id: String(id), row: { status: 'complete' } },
            { table: 'orders', id: String(order), row: { status: 'succeeded', amount: 700 } },
          ]
        : [],
    )
  }

  async #upload(): Promise<void> {
    const bytes = this.#random.bytes(4 * (1 + this.#random.below(this.#random.pick([100, 10_000, 50_000]))))
    const row = (id: unknown, columns: Record<string, string | number>) => [
      { table: 'files', id: String(id), row: columns },
    ]
    const file = await this.#json(
      'POST',
      '/v1/files',
      { filename: `${this.#name}.bin`, size: bytes.length },
      ({ id }) => row(id, { filename: `${this.#name}.bin` }),
    )
    const put = await this.#ask('PUT', new URL(String(file.upload_url)).pathname, bytes)
    this.#note(put, row(file.id, { stored_bytes: bytes.length }))
    const checksum = createHash('sha256').update(bytes).digest('hex')
    await this.#json('POST', `/v1/files/${file.id}/uploaded`, {}, ({ id }) =>
      row(id, { upload_status: 'ready', checksum }),
    )
    if (this.#random.chance(0.6)) return
    const gone = await this.#ask('DELETE', `/v1/files/${file.id}`)
    this.#note(gone, [{ table: 'files', id: String(file.id), row: null }])
  }

  /** Both products or neither. */
  async #program(): Promise<void> {
    const mark = `Pair ${this.#name} ${this.#turn}`
    const code = `[1, 2].map { |n| post('/products', name: 'One of two', seo_title: "${mark} #{n}")[:id] }`
    const call = { name: 'code_execute', arguments: { code } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    const answer = await this.#ask('POST', '/mcp', JSON.stringify(body), {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    })
    const { result } = JSON.parse(answer.text) as { result: { structuredContent: { result: string[] } } }
    const ids = result.structuredContent.result
    this.#note(
      answer,
      ids.map((id, at) => ({ table: 'products', id, row: { seo_title: `${mark} ${at + 1}` } })),
    )
  }

  async #json(
    method: string,
    path: string,
    body?: unknown,
    effects: (answer: Record<string, unknown>) => Effect[] = () => [],
  ): Promise<Record<string, unknown>> {
    const answer = await this.#ask(method, path, body === undefined ? undefined : JSON.stringify(body), {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    })
    const object = JSON.parse(answer.text) as Record<string, unknown>
    this.#note(answer, effects(object))
    return object
  }

  #note({ acknowledged }: Answer, effects: Effect[]): void {
    acknowledged.effects = effects
  }

  #ask(method: string, path: string, body?: string | Buffer, more: Record<string, string> = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.#token}`, ...more }
    return new Promise((resolve, reject) => {
      const asked = request(
        { port: this.#port, host: '127.0.0.1', method, path, headers, agent: false },
        (response) => {
          const port = response.socket.localPort!
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => {
            const { statusCode: status = 0 } = response
            const acknowledged: Acknowledged = { client: this.#name, port, effects: [] }
            this.#answers.push(acknowledged)
            if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${text}`))
            else resolve({ text, acknowledged })
          })
        },
      )
      asked.on('error', reject).end(body)
    })
  }
}
