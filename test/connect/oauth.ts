import { createHash, randomBytes } from 'node:crypto'
import type { RunningApp } from '../support/app.ts'
import { signedIn } from '../support/signed-in.ts'
import { type Form, formOf, PlainBrowser, type Seen } from './browser.ts'

export const CALLBACK = 'https://client.example/callback'

/** The answer of an endpoint that clients call. */
export interface Told {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
  body: any
}

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

/** A client that does everything by hand, so that each step can be done wrongly. */
export class Client {
  readonly running: RunningApp
  readonly id: string
  readonly verifier = randomBytes(32).toString('base64url')

  constructor(running: RunningApp, id: string) {
    this.running = running
    this.id = id
  }

  static async registered(running: RunningApp, more: object = {}): Promise<Client> {
    const { body } = await register(running, { client_name: 'Helper', redirect_uris: [CALLBACK], ...more })
    return new Client(running, body.client_id)
  }

  /** The address where the person is asked; null leaves a parameter out. */
  authorizeUrl(more: Record<string, string | null> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: CALLBACK,
      state: 'a state & more',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${this.running.url}/connect`,
      ...more,
    }
    const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== null)
    return `${this.running.url}/connect/authorize?${new URLSearchParams(given)}`
  }

  token(form: Record<string, string>): Promise<Told> {
    return postForm(`${this.running.url}/connect/token`, { client_id: this.id, ...form })
  }

  exchange(code: string, more: Record<string, string> = {}): Promise<Told> {
    const form = { grant_type: 'authorization_code', code, code_verifier: this.verifier, redirect_uri: CALLBACK }
    return this.token({ ...form, resource: `${this.running.url}/connect`, ...more })
  }

  refresh(refresh_token: string, more: Record<string, string> = {}): Promise<Told> {
    return this.token({ grant_type: 'refresh_token', refresh_token, ...more })
  }

  revoke(token: string): Promise<Told> {
    return postForm(`${this.running.url}/connect/revoke`, { client_id: this.id, token })
  }

  /** A code, once the person has allowed it. */
  async code(person: Person, choice: Record<string, string> = {}, more: Record<string, string | null> = {}) {
    const { location } = await person.decide(this.authorizeUrl(more), choice)
    return new URL(location!).searchParams.get('code')!
  }

  /** From the page to the tokens. */
  async connect(person: Person, choice: Record<string, string> = {}): Promise<Tokens> {
    return (await this.exchange(await this.code(person, choice))).body
  }
}

/** Somebody in front of a browser. */
export class Person {
  readonly running: RunningApp
  readonly browser: PlainBrowser

  constructor(running: RunningApp, cookie: string | null) {
    this.running = running
    this.browser = new PlainBrowser(cookie)
  }

  static async signedIn(running: RunningApp, userId: string): Promise<Person> {
    return new Person(running, await signedIn(running, userId))
  }

  static owner(running: RunningApp): Promise<Person> {
    return Person.signedIn(running, running.app.firstAccount!.userId)
  }

  /** Opens the page of consent and sends its form, with what is chosen there already unless `choice` says more. */
  async decide(url: string | URL, choice: Record<string, string> = {}): Promise<Seen> {
    const seen = await this.browser.open(url)
    if (seen.status !== 200) throw new Error(`The page answered ${seen.status}: ${seen.location ?? seen.html}`)
    return this.send(formOf(seen), choice)
  }

  send({ action, hidden, choices }: Form, choice: Record<string, string> = {}): Promise<Seen> {
    const chosen = Object.entries(choices).flatMap(([name, group]) =>
      group.chosen === null ? [] : [[name, group.chosen]],
    )
    return this.browser.send(this.running.url + action, {
      ...hidden,
      ...Object.fromEntries(chosen),
      do: 'allow',
      ...choice,
    })
  }
}

export function register(running: RunningApp, metadata: unknown): Promise<Told> {
  const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  return told(fetch(`${running.url}/connect/register`, { method: 'POST', body }))
}

export function postForm(url: string, form: Record<string, string>): Promise<Told> {
  return told(fetch(url, { method: 'POST', body: new URLSearchParams(form) }))
}

/** One call of a tool at an address of the endpoint. */
export function callTool(running: RunningApp, token: string, code: string, path = '/connect'): Promise<Told> {
  const params = { name: 'code_execute', arguments: { code } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return told(fetch(running.url + path, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } }))
}

export async function told(answer: Promise<Response>): Promise<Told> {
  const response = await answer
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
