import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StripeBank } from './stripe-bank.ts'
import { answerDispute, closeDispute } from './stripe-disputes.ts'
import { type CardAnswer, type Intent, type Params, StripeRefusal } from './stripe-things.ts'

export const STRIPE_KEY = 'sk_test_stand_in_1234567890'
export const STRIPE_WEBHOOK_SECRET = 'whsec_stand_in_0987654321'

/** What goes wrong: before a request is carried out, or with the answer to one that was. */
export type Fault = 'unavailable' | 'answer_lost' | 'failed_after' | 'silent' | 'not_json'

interface Answer {
  status: number
  body: object
}

/** A request as the stand-in received it. */
export interface Received {
  method: string
  path: string
  params: Params
  idempotencyKey: string | undefined
  apiVersion: string | undefined
}

/** A stand-in for Stripe on this machine: the requests that this service makes, its page to pay on, and its notices. */
export class StripeServer {
  readonly bank = new StripeBank(() => this.url)
  readonly received: Received[] = []
  url = ''
  readonly #faults: Fault[] = []
  readonly #answers = new Map<string, { asked: string; answer: Answer }>()
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The settings of a service that pays here. */
  get settings() {
    return { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL: this.url }
  }

  /** The next requests go wrong, one after the other. */
  breaks(...faults: Fault[]): void {
    this.#faults.push(...faults)
  }

  /** As after 24 hours. */
  forgetKeys(): void {
    this.#answers.clear()
  }

  /** The body and the headers of a notice, signed as https://docs.stripe.com/webhooks/signature says. */
  signed(event: object, { secret = STRIPE_WEBHOOK_SECRET, at = Date.now() } = {}) {
    const body = JSON.stringify({ object: 'event', livemode: false, ...event })
    const seconds = Math.floor(at / 1000)
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    return { body, headers: { 'stripe-signature': `t=${seconds},v1=${signature}`, 'content-type': 'application/json' } }
  }

  /** Posts what has happened since the last time to a service, as often as it takes until it answers 2xx. */
  async postNotices(url: string): Promise<number[]> {
    const statuses: number[] = []
    for (const event of this.bank.events.splice(0)) {
      const { body, headers } = this.signed(event)
      statuses.push((await fetch(url, { method: 'POST', body, headers })).status)
    }
    return statuses
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url!, this.url)
    const body = await textOf(request)
    if (path.startsWith('/pay/')) return this.#page(path.slice('/pay/'.length), request.method!, body, response)
    const received: Received = {
      method: request.method!,
      path,
      params: paramsOf(request.method === 'GET' ? searchParams : new URLSearchParams(body)),
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      apiVersion: request.headers['stripe-version'] as string | undefined,
    }
    this.received.push(received)
    const fault = this.#faults.shift()
    if (fault === 'silent') return
    if (fault === 'unavailable') return send(response, apiError(503))
    if (fault === 'not_json') return void response.end('<html>Bad gateway</html>')
    const answer = this.#authorized(request) ? this.#once(received) : invalidKey(request)
    if (fault === 'answer_lost') return void response.destroy()
    send(response, fault === 'failed_after' ? apiError(500) : answer)
  }

  #authorized({ headers }: IncomingMessage): boolean {
    return headers.authorization === `Bearer ${STRIPE_KEY}`
  }

  /** A key that was used before gives the first answer again. */
  #once(received: Received): Answer {
    const { idempotencyKey: key, path, params } = received
    const asked = JSON.stringify([path, params])
    const before = key === undefined ? undefined : this.#answers.get(key)
    if (before && before.asked !== asked) return refusalOf(400, 'Keys for idempotent requests…', 'idempotency_error')
    if (before) return before.answer
    const answer = this.#carryOut(received)
    if (key !== undefined) this.#answers.set(key, { asked, answer })
    return answer
  }

  #carryOut(received: Received): Answer {
    try {
      return { status: 200, body: structuredClone(this.#route(received)) }
    } catch (error) {
      if (error instanceof StripeRefusal) return { status: error.status, body: structuredClone(error.body) }
      throw error
    }
  }

  #route({ method, path, params }: Received): object {
    const { bank } = this
    const [, , kind, ...rest] = path.split('/')
    switch (`${method} ${[kind, ...rest.map((part) => (/_/.test(part) ? '*' : part))].join('/')}`) {
      case 'POST checkout/sessions':
        return bank.createSession(params)
      case 'GET checkout/sessions/*':
        return this.#expanded(rest[1]!, params)
      case 'POST checkout/sessions/*/expire':
        return bank.expireSession(rest[1]!)
      case 'POST payment_intents':
        return this.#withCard(bank.createIntent(params), params, 'payment_method')
      case 'GET payment_intents':
        return listOf(
          [...bank.intents.values()]
            .filter((one) => one.customer === params.customer)
            .map((one) => this.#withCard(one, params, 'data.payment_method')),
        )
      case 'GET payment_intents/*':
        return this.#withCard(bank.intent(rest[0]!), params, 'payment_method')
      case 'POST payment_intents/*/cancel':
        return bank.cancelIntent(rest[0]!)
      case 'POST refunds':
        return bank.createRefund(params)
      case 'GET refunds':
        return listOf([...bank.refunds.values()].filter((one) => one.payment_intent === params.payment_intent))
      case 'GET refunds/*':
        return bank.refund(rest[0]!)
      case 'GET disputes/*':
        return bank.disputeOf(rest[0]!)
      case 'POST disputes/*':
        return answerDispute(bank, rest[0]!, params)
      case 'POST disputes/*/close':
        return closeDispute(bank, rest[0]!)
      default:
        throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`)
    }
  }

  /** This service always asks for a session with its intents. */
  #expanded(id: string, params: Params): object {
    const session = this.bank.session(id)
    const whole = (kind: 'payment_intent' | 'setup_intent') => {
      const intent = session[kind]
      return intent === null ? null : this.#withCard(this.bank.intent(intent), params, `${kind}.payment_method`)
    }
    return { ...session, payment_intent: whole('payment_intent'), setup_intent: whole('setup_intent') }
  }

  /** An intent with the whole of its card, where that is asked for. */
  #withCard(intent: Intent, { expand = {} }: Params, name: string): object {
    if (intent.payment_method === null || !Object.values(expand).includes(name)) return intent
    const card = { brand: 'mastercard', last4: '4444' }
    return { ...intent, payment_method: { id: intent.payment_method, object: 'payment_method', type: 'card', card } }
  }

  /** The page on which a buyer pays: a form without a script, as a person or a test in a browser uses it. */
  #page(id: string, method: string, body: string, response: ServerResponse): void {
    const session = this.bank.session(id)
    if (method === 'POST') {
      const card = new URLSearchParams(body).get('card') as CardAnswer | 'back'
      const back = card === 'back'
      const after = back ? session : this.bank.enterCard(id, card)
      if (back || after.status === 'complete') {
        response.writeHead(303, { Location: back ? session.cancel_url : session.success_url }).end()
        return
      }
    }
    const buttons = ['pays', 'declined', 'fails_later', 'no_refund', 'back'].map(
      (card) => `<button name="card" value="${card}">${card.replace('_', ' ')}</button>`,
    )
    const total = `${session.amount_total} ${session.currency ?? ''}`
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="en"><title>Stand-in for Stripe</title><h1>${total}</h1>
      ${method === 'POST' ? '<p role="alert">Your card was declined.</p>' : ''}<form method="post">${buttons.join('')}</form></html>`)
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
function paramsOf(given: URLSearchParams): Params {
  const params: Params = {}
  for (const [name, value] of given) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop()!
    let inner = params
    for (const part of path) {
      inner[part] ??= {}
      inner = inner[part] as Params
    }
    inner[last] = value
  }
  return params
}

function listOf(data: object[]): object {
  return { object: 'list', data, has_more: false }
}

function refusalOf(status: number, message: string, type: string): Answer {
  return { status, body: { error: { type, message } } }
}

function apiError(status: number): Answer {
  return refusalOf(status, 'An unknown error occurred', 'api_error')
}

/** Stripe repeats parts of a key that it refuses; this repeats all of it, so that a test sees where it goes. */
function invalidKey({ headers }: IncomingMessage): Answer {
  return refusalOf(401, `Invalid API Key provided: ${headers.authorization}`, 'invalid_request_error')
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_stand_in' })
  response.end(JSON.stringify(body))
}
