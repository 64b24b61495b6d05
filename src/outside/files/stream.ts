import type { Readable } from 'node:stream'

/** A stream for the web that is read no faster than its reader reads, and that frees its source when it is given up. */
export function streamOf(source: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      source.destroy()
    },
  })
}
