import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { NoAnswerError } from '../../../outside/web/client.ts'

/** Sitemaps pack to about a thirtieth. What unpacks to more than this was made to fill a memory. */
const MAX_RATIO = 100
/** A few packed bytes may hold a short text of any ratio. */
const SMALL_BYTES = 200_000

/** What gzip has packed, at most `maxBytes` of it; anything else as it is. Rejects with NoAnswerError for a bomb. */
export async function unpacked(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  const chunks: Uint8Array[] = []
  let length = 0
  // An answer that was cut off ends within a block: what came before it is used all the same.
  const gunzip = Readable.from([body]).pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }))
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      length += chunk.length
      // Counted against what was read so far: a bomb is known by its first part.
      if (length > Math.max(SMALL_BYTES, gunzip.bytesWritten * MAX_RATIO))
        throw new NoAnswerError('One of its compressed files is too large when uncompressed.')
      if (length >= maxBytes) break
    }
  } catch (error) {
    if (error instanceof NoAnswerError) throw error
    if (length === 0) throw new NoAnswerError('One of its compressed files is damaged.')
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
