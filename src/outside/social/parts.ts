import type { WebClient } from '../web/client.ts'
import { PlatformRefusedError, type PostedFile } from './provider.ts'

/** To read one file of a post from the service's own store while it is sent on. */
const TIMEOUT_MS = 200_000

interface Options {
  web: WebClient
  signal: AbortSignal
  /** Bytes of a part; the last one may be smaller. */
  partBytes: number
}

/**
 * Reads a file of a post and hands it over part by part, so that no more than one part is held in memory. Throws where the file
 * is not as long as its row says, since networks are told the length before.
 */
export async function inParts(
  { url, size }: Pick<PostedFile, 'url' | 'size'>,
  { web, signal, partBytes }: Options,
  send: (part: Uint8Array, index: number) => Promise<void>,
): Promise<void> {
  await web.receive(url, { method: 'GET', timeoutMs: TIMEOUT_MS, signal }, async ({ status, body }) => {
    if (status !== 200) throw new Error(`A file of the post was answered with ${status}`)
    let [held, length, index, sent]: [Uint8Array[], number, number, number] = [[], 0, 0, 0]
    const flush = async () => {
      await send(Buffer.concat(held), index)
      ;[held, sent, length, index] = [[], sent + length, 0, index + 1]
    }
    for await (const chunk of body) {
      let rest = chunk
      while (length + rest.length >= partBytes) {
        const taken = rest.subarray(0, partBytes - length)
        held.push(taken)
        length += taken.length
        rest = rest.subarray(taken.length)
        await flush()
      }
      held.push(rest)
      length += rest.length
    }
    if (length > 0) await flush()
    if (sent !== size) throw new PlatformRefusedError(`A file of the post has ${sent} bytes instead of ${size}`)
  })
}
