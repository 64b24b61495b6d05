import { open } from 'node:fs/promises'
import { FileTooLargeError, type WriteOptions } from './provider.ts'

/** Writes chunks to a new file, which is on the disk when this resolves with its size. Throws FileTooLargeError. */
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
