import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_BYTES = 65_536

/** The text of some bytes piece by piece, so that a long one keeps nobody else waiting while it is parsed. */
export async function* slicesOf(body: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    yield decoder.decode(body.subarray(start, start + SLICE_BYTES), { stream: true })
    await nextTurn()
  }
}
