export interface WebRequest {
  method: string
  headers?: Record<string, string>
  /** What is too large to be held comes in chunks; a header `content-length` says how long it is. */
  body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Milliseconds for everything, from the look-up of the name to the last byte that is read. */
  timeoutMs: number
  /** Bytes of the answer that are read; the rest is thrown away, with its connection. */
  maxBytes: number
  signal?: AbortSignal
}

export interface WebAnswer {
  status: number
  /** By lower-case name; the first value where there are several. */
  headers: Record<string, string>
  body: Uint8Array
}

/** An answer whose body is still on its way. */
export interface WebStream extends Omit<WebAnswer, 'body'> {
  /** Rejects when the answer ends early, or takes longer than it may. Leaving it ends the connection. */
  body: AsyncIterable<Uint8Array>
}

/** The address is not one that the service goes to; the message is what must change: `must not be a private address`. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

/** No answer came, or not all of it; the message says why in one sentence. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
}

/**
 * Requests to addresses that accounts name: public ones alone. A name is resolved once for each connection, and the connection
 * goes to the addresses that were checked. Redirects are answers like any other: whoever follows one asks again, so that its
 * address is checked too.
 */
export interface WebClient {
  /** Throws AddressRefusedError for what can be seen of the address without looking up its name. */
  checkForm(url: string): void
  /** As `checkForm`, looking up the name too. A name that cannot be resolved now is let pass, since `fetch` checks again. */
  check(url: string): Promise<void>
  /** Rejects with AddressRefusedError, without any request, or with NoAnswerError. */
  fetch(url: string, request: WebRequest): Promise<WebAnswer>
  /**
   * As `fetch`, for answers that are too large to be held: `read` is given the answer when its headers are there, and its time
   * counts too. Whatever it rejects with is passed on.
   */
  receive<Result>(
    url: string,
    request: Omit<WebRequest, 'maxBytes'>,
    read: (answer: WebStream) => Promise<Result>,
  ): Promise<Result>
}

/** The web as the service's own work may reach it. Each use may be allowed other addresses while developing. */
export interface Web {
  /** Endpoints of webhooks: https alone, and http to this machine where that is allowed. */
  webhooks: WebClient
  /** Sites, feeds and files that accounts name: http and https. */
  outside: WebClient
  /** Models that accounts bring: https alone, since a key goes along, and http to this machine where that is allowed. */
  models: WebClient
  close(): Promise<void>
}
