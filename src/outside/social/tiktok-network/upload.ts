import type { NetworkParts } from '../network.ts'
import { partOf } from '../part-of-file.ts'
import { PlatformRefusedError, type PostedFile } from '../provider.ts'
import { sendBytes } from '../send-bytes.ts'
import type { Turn } from '../turn.ts'

/** Chunks have 5 to 64 MB; the last one takes what is left over, so that it may have twice as much (Media transfer guide). */
const CHUNK_BYTES = 8_000_000
const TIMEOUT_MS = 120_000
const MOST_BYTES = 100_000

/** How a film is cut, as TikTok is told before. */
export function cut(size: number): { chunk_size: number; total_chunk_count: number } {
  return size < 2 * CHUNK_BYTES
    ? { chunk_size: size, total_chunk_count: 1 }
    : { chunk_size: CHUNK_BYTES, total_chunk_count: Math.floor(size / CHUNK_BYTES) }
}

interface Sending {
  parts: NetworkParts
  file: PostedFile
  turn: Turn
}

/** Sends what TikTok does not have yet, in order. `there` is how many bytes it has. */
export async function sendFilm({ parts, file, turn }: Sending, address: string, there: number): Promise<void> {
  const { size, contentType } = file
  const { chunk_size, total_chunk_count } = cut(size)
  for (let index = Math.floor(there / chunk_size); index < total_chunk_count; index++) {
    turn.requireTime()
    const start = index * chunk_size
    const length = index === total_chunk_count - 1 ? size - start : chunk_size
    const body = await partOf(file, { start, length }, { web: parts.web, signal: turn.signal })
    const range = `bytes ${start}-${start + length - 1}/${size}`
    const { status } = await sendBytes(parts.web, address, {
      method: 'PUT',
      headers: { 'content-type': contentType, 'content-range': range },
      body,
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES, signal: turn.signal },
    })
    if (status === 403 || status === 404) throw new UploadOverError('TikTok takes no more of this upload.')
    if (status >= 400 && status < 500 && status !== 408 && status !== 416 && status !== 429)
      throw new PlatformRefusedError(`TikTok refused a part of the film with status ${status}.`)
    if (status !== 201 && status !== 206) throw new Error(`TikTok answered a part of the film with ${status}`)
  }
}

/** The address of an upload works for an hour. What was not complete by then is never published. */
export class UploadOverError extends Error {
  override name = 'UploadOverError'
}
