import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { AddressRefusedError, NoAnswerError, type WebAnswer, type WebClient } from '../../../providers/web/client.ts'

/** The maximum ratio of uncompressed to compressed bytes, against zip bombs; that of sitemaps is about 30. */
const MAX_RATIO = 100
/** The size up to which any ratio is accepted, because a short text may compress well. */
const SMALL_BYTES = 200_000

/** The limits for all responses of one visit together. */
const TOTAL_MS = 10_000
const TOTAL_BYTES = 5_000_000
/** The time limit of one response, so that it cannot use up the whole time. */
const RESPONSE_MS = 5_000
/** The maximum number of redirects; RFC 9309 asks for at least five. */
const MAX_REDIRECTS = 5

export interface Fetched {
  /** The URL after redirects. */
  url: URL
  status: number
  /** In lower case and without parameters; empty if the header is missing. */
  mediaType: string
  /** The decompressed body, cut off at the byte limit. */
  body: Uint8Array
}

interface FetchOptions {
  /** Whether a redirect is allowed; by default, all redirects to public URLs are. */
  follows?: (url: URL) => boolean
  /** Called before each request, including those for redirects. */
  mayFetch?: (url: URL) => Promise<boolean>
  maxBytes?: number
}

/** Fetches URLs. All responses of one visit share a time limit and a byte limit. */
export class Visit {
  readonly #client: WebClient
  readonly #userAgent: string
  readonly #until = performance.now() + TOTAL_MS
  #bytes = TOTAL_BYTES

  constructor(client: WebClient, userAgent: string) {
    this.#client = client
    this.#userAgent = userAgent
  }

  get isOver(): boolean {
    return this.#bytes <= 0 || performance.now() >= this.#until
  }

  /** Follows redirects. Rejects with AddressRefusedError if `first` is forbidden, and with NoAnswerError for all other failures. */
  async fetch(
    first: URL,
    { follows = () => true, mayFetch, maxBytes = TOTAL_BYTES }: FetchOptions = {},
  ): Promise<Fetched> {
    let url = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (mayFetch && !(await mayFetch(url))) throw new NoAnswerError(`robots.txt disallows ${url.href}.`)
      const answer = await this.#ask(url, maxBytes, redirects > 0)
      const target = redirectOf(answer, url)
      if (target === null) return this.#read(url, answer, maxBytes)
      if (!follows(target)) throw new NoAnswerError(`It redirects to ${target.href}, which is another site.`)
      url = target
    }
    throw new NoAnswerError(`It redirects more than ${MAX_REDIRECTS} times.`)
  }

  async #ask(url: URL, maxBytes: number, redirected: boolean): Promise<WebAnswer> {
    const leftMs = this.#until - performance.now()
    if (this.isOver) throw new NoAnswerError('The site took too long or sent too much.')
    const request = {
      method: 'GET',
      headers: { 'user-agent': this.#userAgent, accept: '*/*', 'accept-encoding': 'gzip' },
      timeoutMs: Math.ceil(Math.min(leftMs, RESPONSE_MS)),
      maxBytes: Math.min(maxBytes, this.#bytes),
    }
    const answer = await this.#client.fetch(url.href, request).catch((error: unknown) => {
      if (!redirected || !(error instanceof AddressRefusedError)) throw error
      throw new NoAnswerError(`It redirects to ${url.href}, but an address ${error.message}.`)
    })
    this.#bytes -= answer.body.length
    return answer
  }

  async #read(url: URL, { status, headers, body }: WebAnswer, maxBytes: number): Promise<Fetched> {
    const mediaType = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    const content = await unpacked(body, Math.min(maxBytes, this.#bytes))
    if (content !== body) this.#bytes -= content.length
    return { url, status, mediaType, body: content }
  }
}

function redirectOf({ status, headers }: WebAnswer, from: URL): URL | null {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null
  if (!URL.canParse(location, from.href)) throw new NoAnswerError('It redirects to an invalid URL.')
  return new URL(location, from.href)
}

/** Decompresses gzip and returns other data unchanged. Rejects with NoAnswerError for a zip bomb. */
async function unpacked(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  const chunks: Uint8Array[] = []
  let length = 0
  // A truncated response ends within a compressed block; the data before the cut is still used.
  const gunzip = Readable.from([body]).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      length += chunk.length
      // The ratio refers to the bytes read so far, so that a zip bomb is detected early.
      if (length > Math.max(SMALL_BYTES, gunzip.bytesWritten * MAX_RATIO))
        throw new NoAnswerError('One of its compressed files is too large when uncompressed.')
      if (length >= maxBytes) break
    }
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    if (length === 0) throw new NoAnswerError('One of its compressed files is damaged.')
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
