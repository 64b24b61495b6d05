import { AddressRefusedError, type WebClient } from '../../../providers/web/client.ts'
import { PlatformRefusedError } from './provider.ts'

const TIMEOUT_MS = 20_000
/** The extra time per megabyte that is sent. */
const TIMEOUT_MS_PER_MB = 1_000
const MOST_BYTES = 5_000_000

/**
 * Works like `fetch` but only connects to public addresses, because accounts name the servers. Rejects with a
 * PlatformRefusedError for other addresses.
 */
export function guardedFetch(web: WebClient, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const sent = await request.arrayBuffer()
    const asked = web.fetch(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      ...(sent.byteLength > 0 && { body: new Uint8Array(sent) }),
      timeoutMs: TIMEOUT_MS + Math.ceil(sent.byteLength / 1e6) * TIMEOUT_MS_PER_MB,
      maxBytes: MOST_BYTES,
      signal: AbortSignal.any([signal, request.signal]),
    })
    const answer = await asked.catch((error: unknown) => {
      throw error instanceof AddressRefusedError ? new PlatformRefusedError(`The address ${error.message}.`) : error
    })
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : Buffer.from(answer.body), { status: answer.status, headers: answer.headers })
  }
}
