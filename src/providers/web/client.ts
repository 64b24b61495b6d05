export interface WebRequest {
  method: string
  headers?: Record<string, string>
  /** A body that is too large for memory is an iterable of chunks; its length is in a `content-length` header. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** The total time in milliseconds, from the DNS lookup to the last byte read. */
  timeoutMs: number
  /** The maximum number of bytes to read; the rest is dropped and the connection closed. */
  maxBytes: number
  signal?: AbortSignal
}

export interface WebAnswer {
  status: number
  /** Values by lower-case name; the first one if a header is repeated. */
  headers: Record<string, string>
  body: Uint8Array
}

/** A response whose body is streamed. */
export interface WebStream extends Omit<WebAnswer, 'body'> {
  /** The chunks of the body. Reading rejects if the response ends early or takes too long; leaving the loop closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/** The service does not send requests to this address; the message says what must change: `must not be a private address`. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

/** No complete response arrived; the message gives the reason in one sentence. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/**
 * Sends requests to URLs that accounts provide, only to public addresses. Each connection resolves the name once and goes to the
 * addresses that were checked. Redirects are not followed: the caller sends a new request, so that its address is checked too.
 */
export interface WebClient {
  /** Checks all of the URL that needs no DNS lookup. Throws AddressRefusedError. */
  checkForm(url: string): void
  /** Checks the URL and resolves its host name. A name that cannot be resolved now passes, since `fetch` checks it again. */
  check(url: string): Promise<void>
  /** Sends a request. Rejects with AddressRefusedError before sending anything, or with NoAnswerError. */
  fetch(url: string, request: WebRequest): Promise<WebAnswer>
  /**
   * Streams a response that is too large for memory: calls `read` once the headers have arrived, and its duration counts towards
   * the timeout. Rejections of `read` are passed on.
   */
  receive<Result>(
    url: string,
    request: Omit<WebRequest, 'maxBytes'>,
    read: (answer: WebStream) => Promise<Result>,
  ): Promise<Result>
}

/** The clients for requests to URLs of accounts. In development, each can be allowed to reach this machine. */
export interface Web {
  /** The client for webhook endpoints: only https, and http to this machine if allowed. */
  webhooks: WebClient
  /** The client for sites, feeds and files of accounts: http and https. */
  outside: WebClient
  /** The client for models of accounts: only https, since requests carry a key, and http to this machine if allowed. */
  models: WebClient
  close(): Promise<void>
}
