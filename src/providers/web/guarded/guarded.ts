import { Resolver } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { durationInWords } from '../../../format/durations.ts'
import {
  AddressRefusedError,
  NoAnswerError,
  type WebAnswer,
  type WebClient,
  type WebRequest,
  type WebStream,
} from '../client.ts'
import { type Reach, reachOf } from './address.ts'

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the response was complete.',
  EPIPE: 'The connection was closed before the response was complete.',
  UND_ERR_SOCKET: 'The connection was closed before the response was complete.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
  HPE_HEADER_OVERFLOW: 'The response headers are too large.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate cannot be verified.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
}

const CONNECT_TIMEOUT_MS = 3_000
/** The maximum time that `check` waits for DNS. */
const CHECK_MS = 1_000
const MAX_HEADER_BYTES = 16_384

/** Each connection goes only to addresses that were checked after the name was resolved. */
export class GuardedClient implements WebClient {
  readonly #policy: Policy
  readonly #resolve: Resolve
  #agent: Agent | undefined

  constructor(policy: Policy, resolve: Resolve) {
    this.#policy = policy
    this.#resolve = resolve
  }

  checkForm(url: string): void {
    parseAddress(url, this.#policy)
  }

  async check(url: string): Promise<void> {
    const host = hostOf(parseAddress(url, this.#policy))
    if (isIP(host) !== 0) return
    const late = Promise.withResolvers<string[]>()
    const timer = setTimeout(() => late.resolve([]), CHECK_MS)
    const addresses = await Promise.race([this.#resolve(host), late.promise]).catch(() => [])
    clearTimeout(timer)
    requireReachable(addresses, this.#policy)
  }

  fetch(url: string, { maxBytes, ...asked }: WebRequest): Promise<WebAnswer> {
    return this.receive(url, asked, async ({ body, ...answer }) => ({
      ...answer,
      body: await firstBytes(body, maxBytes),
    }))
  }

  async receive<Result>(
    given: string,
    { timeoutMs, signal, ...asked }: Omit<WebRequest, 'maxBytes'>,
    read: (answer: WebStream) => Promise<Result>,
  ): Promise<Result> {
    const url = parseAddress(given, this.#policy)
    const ended = new AbortController()
    const stop = () => ended.abort(new NoAnswerError('The request was stopped.'))
    const timer = setTimeout(() => ended.abort(tooSlow(timeoutMs)), timeoutMs)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      if (signal?.aborted) stop()
      return await this.#exchange(url, asked, ended.signal, read)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  async close(): Promise<void> {
    await this.#agent?.destroy()
  }

  async #exchange<Result>(
    url: URL,
    { method, headers = {}, body }: Pick<WebRequest, 'method' | 'headers' | 'body'>,
    signal: AbortSignal,
    read: (answer: WebStream) => Promise<Result>,
  ): Promise<Result> {
    const explained = (error: unknown) => (signal.aborted ? signal.reason : noAnswer(error))
    const { Agent, request } = await library()
    this.#agent ??= this.#connecting(Agent)
    const asked = { dispatcher: this.#agent, method: method as 'GET', headers, signal }
    const answer = await request(url, body === undefined ? asked : { ...asked, body: sendable(body) }).catch(
      (error: unknown) => {
        throw explained(error)
      },
    )
    // Destroying a body before its end emits an error, which nothing else handles.
    answer.body.on('error', () => {})
    const stream = {
      status: answer.statusCode,
      headers: singleValues(answer.headers),
      body: withExplainedErrors(answer.body, explained),
    }
    try {
      return await read(stream)
    } finally {
      answer.body.destroy()
    }
  }

  #connecting(Library: typeof Agent): Agent {
    return new Library({
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: { timeout: CONNECT_TIMEOUT_MS, lookup: this.#lookup },
    })
  }

  /** Checks the addresses that a connection uses, so that the name cannot resolve to others after the check. */
  readonly #lookup: LookupFunction = (name, { all }, done) => {
    this.#checkedAddresses(name).then(
      (addresses) => (all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error: Error) => done(error, []),
    )
  }

  async #checkedAddresses(name: string): Promise<{ address: string; family: number }[]> {
    const addresses = await this.#resolve(name).catch(() => [])
    if (addresses.length === 0) throw new NoAnswerError(`The host name ${name} has no address.`)
    requireReachable(addresses, this.#policy)
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
}

/** The stream reads a chunk only when the previous one was sent. */
function sendable(body: NonNullable<WebRequest['body']>): string | Uint8Array | Readable {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  return isWhole ? body : Readable.from(body, { objectMode: false })
}

/** The library loads with the first request, because it is large and many services never need it. */
function library(): Promise<typeof import('undici')> {
  return import('undici')
}

/** Converts errors while the body is read into those of this module. */
async function* withExplainedErrors(body: AsyncIterable<Uint8Array>, explained: (error: unknown) => Error) {
  const chunks = body[Symbol.asyncIterator]()
  const next = () =>
    chunks.next().catch((error: unknown) => {
      throw explained(error)
    })
  for (let step = await next(); !step.done; step = await next()) yield step.value
}

/** Leaving the loop early closes the connection. */
async function firstBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - length))
    length += chunk.length
    if (length >= maxBytes) break
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function singleValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function tooSlow(timeoutMs: number): NoAnswerError {
  return new NoAnswerError(`The response was not complete within ${durationInWords(timeoutMs / 1000)}.`)
}

/** Returns errors of the guard unchanged, and any other error as a sentence. */
function noAnswer(error: unknown): Error {
  const known = causesOf(error).find((cause) => cause instanceof AddressRefusedError || cause instanceof NoAnswerError)
  if (known) return known
  const codes = causesOf(error).map((cause) => String((cause as { code?: unknown }).code))
  const code = codes.find((one) => Object.hasOwn(REASONS, one))
  if (code !== undefined) return new NoAnswerError(REASONS[code], { cause: error })
  const isMalformed = causesOf(error).some(({ name }) => name === 'HTTPParserError')
  return new NoAnswerError(isMalformed ? 'The response is not valid HTTP.' : 'The request failed.', { cause: error })
}

/** Returns an error with its causes and the errors that an AggregateError combines. */
function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const parts = error instanceof AggregateError ? error.errors : []
  return [error, ...causesOf(error.cause), ...parts.flatMap(causesOf)]
}

/** Rejects or returns an empty list if the name has no addresses. */
export type Resolve = (name: string) => Promise<string[]>

const TRY_MS = 1_000
const TRIES = 2

/** The addresses that one kind of request may go to. */
export interface Policy {
  schemes: readonly ('http:' | 'https:')[]
  /** An example URL for messages. */
  example: string
  /** Whether requests to this machine are allowed, also over http; for development. */
  loopback: boolean
  /** The setting that allows requests to this machine. */
  setting: 'WEBHOOKS_ALLOW_LOOPBACK' | 'OUTSIDE_ALLOW_LOOPBACK'
}

const PORTS_BELOW_1024 = ['', '80', '443']
const FIRST_FREE_PORT = 1024

/** Checks a URL without a DNS lookup. Throws AddressRefusedError. */
function parseAddress(given: string, policy: Policy): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refused(notAnAddress(policy))
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user name or a password')
  const name = url.hostname.replace(/\.+$/, '')
  url.hostname = name
  url.hash = ''
  const host = hostOf(url)
  if (name === '') throw refused(notAnAddress(policy))
  const reach = knownReach(host)
  if (reach === 'loopback' && !policy.loopback) throw refused(notHere(policy))
  if (!policy.schemes.includes(url.protocol as 'http:') && !(policy.loopback && reach === 'loopback'))
    throw refused('must start with https://')
  if (Number(url.port) < FIRST_FREE_PORT && !PORTS_BELOW_1024.includes(url.port))
    throw refused('must not have a port below 1024 other than 80 and 443')
  if (reach !== null) requireReach(reach, policy)
  return url
}

/** Throws AddressRefusedError if any of the addresses of a name is not allowed. */
function requireReachable(addresses: readonly string[], policy: Policy): void {
  for (const address of addresses) requireReach(reachOf(address), policy)
}

/** Removes the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Classifies an IP address or a name of this machine; returns null for a name that has to be resolved. */
function knownReach(host: string): Reach | null {
  if (isIP(host) !== 0) return reachOf(host)
  return isLocalName(host) ? 'loopback' : null
}

function requireReach(reach: Reach, { loopback }: Policy): void {
  if (reach === 'closed' || (reach === 'loopback' && !loopback))
    throw refused('must be a public address, not one in a private network or of this machine')
}

/** The message for a URL that names this machine. Other names get another message, which must not reveal their addresses. */
function notHere({ setting }: Policy): string {
  return `must be a public address, not this machine’s (for development, ${setting}=true allows it)`
}

function notAnAddress({ example }: Policy): string {
  return `must be a URL such as ${example}`
}

function refused(problem: string): AddressRefusedError {
  return new AddressRefusedError(problem)
}

/**
 * Ignores the hosts file, because accounts may not use names of the local network. It uses no thread of Node's pool, so slow name
 * servers do not block disk access.
 */
export function nameResolver(): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}
