import { AddressRefusedError, type WebClient } from '../../web/client.ts'

const MOST_BYTES = 4_000_000

const TOO_LONG = 'The answer of the model provider is too long.'

/** Works like `fetch`, but aborts a response that is too long and follows no redirects, because their target would receive the key. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: 'manual' })
  if (answer.body === null) return answer
  let left = MOST_BYTES
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left < 0) controller.error(new Error(TOO_LONG))
      else controller.enqueue(chunk)
    },
  })
  return new Response(answer.body.pipeThrough(bounded), answer)
}

/** The time limit of one response. It is as long as a whole run may take; the conversation's signal can abort earlier. */
const TIMEOUT_MS = 270_000

/** Works like `boundedFetch` but only connects to public addresses, because accounts provide the URL. */
export function guardedFetch(web: WebClient): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const answer = await web
      .fetch(request.url, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES + 1,
        signal: request.signal,
      })
      .catch((error: unknown) => {
        throw error instanceof AddressRefusedError ? new Error(`The URL of the model ${error.message}.`) : error
      })
    if (answer.body.byteLength > MOST_BYTES) throw new Error(TOO_LONG)
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : Buffer.from(answer.body), { status: answer.status, headers: answer.headers })
  }
}
