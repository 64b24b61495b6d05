import { only } from '../../errors.ts'

export interface WebRequest {
  method: string
  headers?: Record<string, string>
  /** A body that is too large for memory is an iterable of chunks, with its length in a `content-length` header. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** The time limit from the DNS lookup to the last byte read, in milliseconds. */
  timeoutMs: number
  /** The maximum number of bytes to read; then the connection is closed and the rest dropped. */
  maxBytes: number
  signal?: AbortSignal
}

export interface WebAnswer {
  status: number
  /** Values by lower-case name; the first value of a repeated header. */
  headers: Record<string, string>
  body: Uint8Array
}

export interface WebStream extends Omit<WebAnswer, 'body'> {
  /** Reading rejects if the response ends early or takes too long. Leaving the loop closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/** The address must not receive requests. The message says what must change: `must not be a private address`. */
export class AddressRefusedError extends Error {}

/** No complete response arrived; the message gives the reason in one sentence. */
export class NoAnswerError extends Error {}

/**
 * Sends requests to URLs of accounts, only at public addresses: each connection goes to the addresses that were checked after its DNS
 * lookup. The caller follows redirects itself with new requests, so that their addresses are checked too.
 */
export interface WebClient {
  /** Checks a URL without a DNS lookup. Throws AddressRefusedError. */
  checkForm(url: string): void
  /** Checks a URL and resolves its host name. A name that cannot be resolved passes, because `fetch` checks again. */
  check(url: string): Promise<void>
  /** Rejects with AddressRefusedError before anything is sent, or with NoAnswerError. */
  fetch(url: string, request: WebRequest): Promise<WebAnswer>
  /** Streams a response that is too large for memory. The timeout includes `read`, whose rejections are passed on. */
  receive<Result>(
    url: string,
    request: Omit<WebRequest, 'maxBytes'>,
    read: (answer: WebStream) => Promise<Result>,
  ): Promise<Result>
}

/** Returns why a URL is refused without a DNS lookup, such as `must start with https://`; null if it may receive requests. */
export function addressProblem(client: Pick<WebClient, 'checkForm'>, url: string): string | null {
  try {
    client.checkForm(url)
    return null
  } catch (error) {
    return only(AddressRefusedError, ({ message }) => message)(error)
  }
}

/** The clients for URLs of accounts. In development, each can be allowed to reach this machine. */
export interface Web {
  /** Webhook endpoints: only https, and http to this machine if allowed. */
  webhooks: WebClient
  /** Sites, feeds and files of accounts: http and https. */
  outside: WebClient
  /** Models of accounts: only https, because requests carry a key, and http to this machine if allowed. */
  models: WebClient
  close(): Promise<void>
}
