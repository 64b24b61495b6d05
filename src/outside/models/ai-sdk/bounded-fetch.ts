/** Bytes of one answer of a provider. */
export const MOST_BYTES = 4_000_000

export const TOO_LONG = 'The answer of the model provider is too long.'

/** As `fetch`, but an answer that is too long breaks off, and no redirect is followed: it would take the key along. */
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
