import { bytesInWords } from '../../../words/sizes.ts'

/** A request to a service that the operator has named: its whole time and its answer are bounded, and redirects are not followed. */
export function boundedFetch({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): typeof fetch {
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    const answer = await fetch(input, { ...init, signal, redirect: 'error' })
    const body = await readAtMost(answer, maxBytes)
    const { status, statusText, headers } = answer
    return new Response(body, { status, statusText, headers: { 'Content-Type': headers.get('content-type') ?? '' } })
  }
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  if (!body) return null
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The answer is longer than ${bytesInWords(maxBytes)}.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
