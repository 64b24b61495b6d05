import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { FileTooLargeError, type WriteOptions } from './provider.ts'

/** Converts a stream to a web stream with backpressure; canceling the web stream closes the source. */
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

/** Writes chunks to a new file, syncs it to the disk and returns its size in bytes. Throws FileTooLargeError. */
export async function writeAll(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: WriteOptions,
): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted()
      size += chunk.length
      if (size > maxBytes) throw new FileTooLargeError(maxBytes)
      await handle.writeFile(chunk)
    }
    await handle.sync()
    return size
  } finally {
    await handle.close()
  }
}
