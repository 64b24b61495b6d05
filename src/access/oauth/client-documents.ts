import { memoryInWords } from '../../format/sizes.ts'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../../providers/web/client.ts'
import { BoundedMap } from '../../runtime/bounded-map.ts'
import { type Client, readClientMetadata } from './clients.ts'
import { OAuthError } from './errors.ts'

/** The maximum size of a client document: twice the draft's recommended minimum. Usual documents have a few hundred bytes. */
const MAX_BYTES = 10_240
const TIMEOUT_MS = 5_000
const LONGEST_ID = 500
/** The limits of the time for which a document is cached. Within them, its `cache-control` header applies. */
const CACHE_MS = { least: 5 * 60_000, usual: 60 * 60_000, most: 24 * 60 * 60_000 }
const ERROR_CACHE_MS = 30_000
const MOST_KEPT = 1_000

interface CachedDocument {
  until: number
  client?: Client
  problem?: OAuthError
}

/**
 * Finds clients whose id is the https URL of a document about the client (OAuth Client ID Metadata Document), so that the owner of the
 * domain vouches for the client. Documents are fetched only from public IP addresses, without following redirects.
 */
export class ClientDocuments {
  readonly #web: Pick<WebClient, 'fetch' | 'checkForm'>
  readonly #kept = new BoundedMap<string, CachedDocument>(MOST_KEPT)
  readonly #now: () => number

  constructor(web: Pick<WebClient, 'fetch' | 'checkForm'>, now: () => number = Date.now) {
    this.#web = web
    this.#now = now
  }

  isAddress(id: string): boolean {
    return /^https?:\/\//i.test(id)
  }

  /** Throws `invalid_client` with a message for people if the client is unknown. */
  async find(id: string): Promise<Client> {
    const kept = this.#kept.get(id)
    if (kept && kept.until > this.#now()) return clientOf(kept)
    const found = await this.#fetch(id).catch((error: unknown): CachedDocument => {
      if (!(error instanceof OAuthError)) throw error
      return { until: this.#now() + ERROR_CACHE_MS, problem: error }
    })
    this.#kept.set(id, found)
    return clientOf(found)
  }

  async #fetch(id: string): Promise<CachedDocument> {
    this.#requireForm(id)
    const answer = await this.#web
      .fetch(id, {
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES + 1,
      })
      .catch((error: unknown) => {
        throw explained(error)
      })
    const metadata = readClientMetadata(documentOf(answer))
    if (metadata.client_id !== id) throw invalidDocument('the document is about another client_id')
    // A public document cannot contain a secret. Clients may authenticate with a key instead, but PKCE alone is enough.
    if (/secret/.test(metadata.token_endpoint_auth_method ?? ''))
      throw invalidDocument('the document asks for a client secret')
    const { name, redirectUris } = metadata
    const client = { id, name, domain: new URL(id).hostname, redirectUris }
    return { client, until: this.#now() + cacheMs(answer.headers['cache-control']) }
  }

  #requireForm(id: string): void {
    const url = URL.canParse(id) ? new URL(id) : null
    if (!url || url.href !== id || url.hash !== '' || url.pathname === '/' || id.length > LONGEST_ID)
      throw invalidDocument('the client_id is not a normalized https URL with a path')
    // In development, client documents may also be fetched by http from this machine. All others require https.
    if (url.protocol === 'http:' && !/^(localhost|127\.0\.0\.1)$/.test(url.hostname))
      throw invalidDocument('the client_id does not start with https://')
    try {
      this.#web.checkForm(id)
    } catch (error) {
      throw explained(error)
    }
  }
}

function clientOf({ client, problem }: CachedDocument): Client {
  if (problem) throw problem
  return client!
}

function documentOf({ status, headers, body }: WebAnswer): unknown {
  if (status >= 300 && status < 400) throw invalidDocument('its URL redirects to another one')
  if (status !== 200) throw invalidDocument(`its URL answers with status ${status}`)
  if (body.length > MAX_BYTES) throw invalidDocument(`the document is larger than ${memoryInWords(MAX_BYTES)}`)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''))
    throw invalidDocument('the document is not JSON')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalidDocument('the document is not valid JSON')
  }
}

function explained(error: unknown): unknown {
  if (error instanceof AddressRefusedError) return invalidDocument(`the client_id ${error.message}`)
  if (error instanceof NoAnswerError)
    return invalidDocument(`its document cannot be fetched. ${error.message.replace(/\.$/, '')}`)
  return error
}

function invalidDocument(problem: string): OAuthError {
  return new OAuthError('invalid_client', `The client is unknown: ${problem}.`)
}

function cacheMs(cacheControl = ''): number {
  if (/no-store|no-cache/i.test(cacheControl)) return CACHE_MS.least
  const seconds = /max-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  const asked = seconds === undefined ? CACHE_MS.usual : Number(seconds) * 1000
  return Math.min(CACHE_MS.most, Math.max(CACHE_MS.least, asked))
}
