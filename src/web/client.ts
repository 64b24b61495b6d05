export interface WebRequest {
  method: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds until the connection must stand. */
  connectTimeoutMs: number
  /** Milliseconds for everything, from the look-up of the name to the last byte that is read. */
  timeoutMs: number
  /** Bytes of the answer that are read; the rest is thrown away. */
  maxBytes: number
  signal?: AbortSignal
}

export interface WebAnswer {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

/** The address is not one that the service goes to; the message says why. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError'
}

/** Requests to addresses that accounts name: public ones alone, checked after the name is resolved, and never redirected. */
export interface WebClient {
  /** Throws AddressRefusedError, without any request, when the address is private or otherwise refused. */
  check(url: string): Promise<void>
  /** Throws AddressRefusedError, or another error when no answer came. */
  fetch(url: string, request: WebRequest): Promise<WebAnswer>
}
