import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { API_VERSIONS } from '../../src/providers/api-versions.ts'
import { type AccountOptions, StripeAccount, type StripeKey } from './stripe-account.ts'
import { paramsOf, textOf } from './stripe-form.ts'
import { type SetUpLink, showPage } from './stripe-pages.ts'
import { requireParams } from './stripe-params.ts'
import { routeOf } from './stripe-routes.ts'
import { newId, type Params, type StripeEvent, StripeRefusal } from './stripe-things.ts'

/** The service's own API keys. */
export const STRIPE_KEY = 'sk_test_stand_in_1234567890'
export const STRIPE_WEBHOOK_SECRET = 'whsec_stand_in_0987654321'
export const STRIPE_CONNECT_WEBHOOK_SECRET = 'whsec_stand_in_of_connect_5678'

/** A fault before a request is carried out, or of the response afterwards. */
export type Fault = 'unavailable' | 'answer_lost' | 'failed_after' | 'silent' | 'not_json'

interface Answer {
  status: number
  body: object
}

/** A received request. */
export interface Received {
  method: string
  path: string
  params: Params
  idempotencyKey: string | undefined
  apiVersion: string | undefined
  /** The value of `Stripe-Account`. */
  account: string | undefined
}

/** A local stand-in for Stripe: the API requests that this service makes, the payment page and webhooks. */
export class StripeServer {
  readonly received: Received[] = []
  url = ''
  readonly #accounts: StripeAccount[] = []
  readonly #keys = new Map<string, StripeKey>()
  readonly #faults: Fault[] = []
  readonly #answers = new Map<string, { asked: string; answer: Answer }>()
  readonly #links = new Map<string, SetUpLink>()
  /** The service's own account. */
  readonly own = this.openAccount({ name: 'Shopwright' })
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })

  constructor() {
    this.#keys.set(STRIPE_KEY, { account: this.own, permissions: 'all', state: 'good' })
  }

  get bank() {
    return this.own.bank
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The settings of a service that uses this stand-in. */
  get settings() {
    return { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL: this.url }
  }

  /** The settings of a service that is also a Connect platform. */
  get platformSettings() {
    return { ...this.settings, STRIPE_CONNECT_WEBHOOK_SECRET }
  }

  /** Opens a merchant account, or another mode of the account with a given id. */
  openAccount(options: AccountOptions = {}): StripeAccount {
    const account = new StripeAccount(() => this.url, options)
    this.#accounts.push(account)
    return account
  }

  /** Creates a secret key of an account, or a restricted key with these permissions. */
  keyOf(account: StripeAccount, permissions: StripeKey['permissions'] = 'all'): string {
    const kind = permissions === 'all' ? 'sk' : 'rk'
    const key = newId(`${kind}_${account.live ? 'live' : 'test'}`)
    this.#keys.set(key, { account, permissions, state: 'good' })
    return key
  }

  /** Revokes or expires a key, like its owner in the dashboard. */
  endKey(key: string, state: 'revoked' | 'expired' = 'revoked'): void {
    this.#keys.get(key)!.state = state
  }

  /** Restricts a key to these permissions. */
  limitKey(key: string, permissions: readonly string[]): void {
    this.#keys.get(key)!.permissions = permissions
  }

  account(id: string): StripeAccount {
    return this.#accounts.find((one) => one.id === id)!
  }

  /** A platform creates an account whose owner has yet to register. */
  connectAccount(platform: StripeAccount, { display_name, configuration }: Params): StripeAccount {
    if (!configuration) throw new StripeRefusal(400, 'An account needs a configuration.')
    return this.openAccount({ name: String(display_name), live: platform.live, platform }).begins()
  }

  /** Creates a single-use link to the page on which the owner of an account registers. */
  linkTo(platform: StripeAccount, { account: id, use_case }: Params): object {
    const account = this.#connected(String(id), platform)
    if (!account) throw new StripeRefusal(404, `No such account: '${id}'`, { code: 'resource_missing' })
    const { return_url, refresh_url } = (use_case as Params).account_onboarding as Record<string, string>
    const link = { account, return_url: return_url!, refresh_url: refresh_url!, opened: false }
    const token = newId('alu')
    this.#links.set(token, link)
    const created = new Date().toISOString()
    return {
      object: 'v2.core.account_link',
      account: id,
      created,
      livemode: account.live,
      url: `${this.url}/setup/${token}`,
      use_case,
    }
  }

  /** Makes the next requests fail with these faults, in order. */
  breaks(...faults: Fault[]): void {
    this.#faults.push(...faults)
  }

  /** Deletes all idempotency keys, as Stripe does after 24 hours. */
  forgetKeys(): void {
    this.#answers.clear()
  }

  /** Returns the body and the headers of a webhook, signed according to https://docs.stripe.com/webhooks/signature. */
  signed(event: object, { secret = STRIPE_WEBHOOK_SECRET, at = Date.now() } = {}) {
    const payload = JSON.stringify({ object: 'event', livemode: false, ...event })
    const timestamp = Math.floor(at / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return { body: payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
  }

  /** Posts the new events of the service's own account, and returns the response statuses. */
  async postNotices(url: string): Promise<number[]> {
    const events = this.bank.events.splice(0)
    return this.#posted(events.map((event) => ({ event, url, secret: STRIPE_WEBHOOK_SECRET })))
  }

  /** Posts the new events of an account to its webhook endpoints, and returns the response statuses. */
  async notify(account: StripeAccount): Promise<number[]> {
    const events = account.bank.events.splice(0)
    const endpoints = [...account.endpoints.values()]
    return this.#posted(
      events.flatMap((event) =>
        endpoints
          .filter(({ enabled_events }) => enabled_events.includes(event.type))
          .map(({ url, secret }) => ({ event, url, secret })),
      ),
    )
  }

  /** Posts the new events of the platform's connected accounts. */
  async notifyPlatform(url: string): Promise<number[]> {
    const secret = STRIPE_CONNECT_WEBHOOK_SECRET
    const connected = this.#accounts.filter(({ madeByPlatform }) => madeByPlatform)
    return this.#posted(
      connected.flatMap(({ id, bank }) =>
        bank.events.splice(0).map((event) => ({ event: { ...event, account: id }, url, secret })),
      ),
    )
  }

  async #posted(posts: { event: StripeEvent; url: string; secret: string }[]): Promise<number[]> {
    const statuses: number[] = []
    for (const { event, url, secret } of posts) {
      const { body, headers } = this.signed(event, { secret })
      statuses.push((await fetch(url, { method: 'POST', body, headers })).status)
    }
    return statuses
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url!, this.url)
    const body = await textOf(request)
    if (showPage({ path, method: request.method!, body, response, accounts: this.#accounts, links: this.#links }))
      return
    const header = (name: string) => request.headers[name] as string | undefined
    const received: Received = {
      method: request.method!,
      path,
      params: path.startsWith('/v2/')
        ? (JSON.parse(body) as Params)
        : paramsOf(request.method === 'GET' ? searchParams : new URLSearchParams(body)),
      idempotencyKey: header('idempotency-key'),
      apiVersion: header('stripe-version'),
      account: header('stripe-account'),
    }
    this.received.push(received)
    const fault = this.#faults.shift()
    if (fault === 'silent') return
    if (fault === 'unavailable') return send(response, apiError(503))
    if (fault === 'not_json') return void response.end('<html>Bad gateway</html>')
    const answer = this.#answer(received, request)
    if (fault === 'answer_lost') return void response.destroy()
    send(response, fault === 'failed_after' ? apiError(500) : answer)
  }

  #answer(received: Received, request: IncomingMessage): Answer {
    try {
      const { key, account } = this.#authorized(received, request)
      return this.#once(account, received, () => this.#carriedOut(key, account, received))
    } catch (error) {
      return answerOf(error)
    }
  }

  #authorized({ account: named, apiVersion, path }: Received, { headers, method }: IncomingMessage) {
    const given = headers.authorization?.replace('Bearer ', '') ?? ''
    const key = this.#keys.get(given)
    // Stripe repeats parts of a refused key. This repeats all of it, so that tests can find leaks of it.
    if (!key || key.state === 'revoked') throw new StripeRefusal(401, `Invalid API Key provided: ${given}`)
    if (key.state === 'expired')
      throw new StripeRefusal(401, `Expired API Key provided: ${given}`, { code: 'api_key_expired' })
    if (apiVersion !== API_VERSIONS.stripe.version)
      throw new StripeRefusal(400, `Invalid Stripe API version: ${apiVersion}`)
    const contentType = path.startsWith('/v2/') ? 'application/json' : 'application/x-www-form-urlencoded'
    if (method === 'POST' && headers['content-type'] !== contentType)
      throw new StripeRefusal(400, `Invalid request (check the Content-Type): ${headers['content-type']}`)
    const account = named === undefined ? key.account : this.#connected(named, key.account)
    if (account) return { key, account }
    const message = `The provided key '${given}' does not have access to account '${named}' (or that account does not exist). Application access may have been revoked.`
    throw new StripeRefusal(403, message, { code: 'account_invalid' })
  }

  #connected(id: string, platform: StripeAccount): StripeAccount | undefined {
    return this.#accounts.find((one) => one.id === id && one.platform === platform)
  }

  /** A repeated idempotency key returns the first response again. */
  #once(account: StripeAccount, { idempotencyKey, path, params }: Received, carryOut: () => Answer): Answer {
    if (idempotencyKey === undefined) return carryOut()
    const key = JSON.stringify([account.id, account.live, idempotencyKey])
    const asked = JSON.stringify([path, params])
    const before = this.#answers.get(key)
    if (before && before.asked !== asked) return refusalOf(400, 'Keys for idempotent requests…', 'idempotency_error')
    if (before) return before.answer
    const answer = carryOut()
    this.#answers.set(key, { asked, answer })
    return answer
  }

  #carriedOut({ permissions }: StripeKey, account: StripeAccount, { method, path, params }: Received): Answer {
    try {
      const { route, ids } = routeOf(method, path)
      if (permissions !== 'all' && !allows(permissions, route.needs))
        throw new StripeRefusal(
          403,
          `The provided key 'rk_${account.live ? 'live' : 'test'}_*****' does not have the required permissions for this endpoint on account '${account.id}'. Having the '${route.needs}' permission would allow this request to continue.`,
        )
      requireParams(params, route.params)
      return { status: 200, body: structuredClone(route.answer({ server: this, account, params, ids })) }
    } catch (error) {
      return answerOf(error)
    }
  }
}

/** Permission to write includes permission to read. */
function allows(permissions: readonly string[], needed: string): boolean {
  return permissions.includes(needed) || permissions.includes(needed.replace(/_read$/, '_write'))
}

function answerOf(error: unknown): Answer {
  if (!(error instanceof StripeRefusal)) throw error
  return { status: error.status, body: structuredClone(error.body) }
}

function refusalOf(status: number, message: string, type: string): Answer {
  return { status, body: { error: { type, message } } }
}

function apiError(status: number): Answer {
  return refusalOf(status, 'An unknown error occurred', 'api_error')
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_stand_in' })
  response.end(JSON.stringify(body))
}
