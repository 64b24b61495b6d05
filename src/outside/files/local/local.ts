import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../../make-directory.ts'
import { inspect } from '../inspector.ts'
import { type ByteRange, type Contents, type FileStore, KeyTakenError, type WriteOptions } from '../provider.ts'
import { streamOf } from '../stream.ts'
import { writeAll } from '../write-all.ts'

/** Longer than any write takes. */
const LEFT_BEHIND_MS = 3 * 60 * 60 * 1000
/** Keys become paths. */
const KEY = /^[a-z0-9_]+\/[a-z0-9_]+$/
const ACCOUNT = /^[a-z0-9_]+$/

/** Keeps bytes in files of this machine: `<directory>/<account>/<file>`. */
export class LocalFiles implements FileStore {
  readonly name = 'local'
  readonly uploadsBelow = null
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async uploadAddress(): Promise<null> {
    return null
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, { maxBytes, signal }: WriteOptions): Promise<number> {
    const path = this.#pathOf(key)
    const part = join(this.#incoming, randomUUID())
    await makeDirectory(this.#incoming)
    try {
      const size = await writeAll(part, chunks, { maxBytes, signal })
      await makeDirectory(dirname(path))
      await linkOnce(part, path)
      await syncDirectory(dirname(path))
      return size
    } finally {
      await rm(part, { force: true })
    }
  }

  async inspect(key: string, { maxBytes, signal }: WriteOptions): Promise<Contents | null> {
    const handle = await this.#open(key)
    if (!handle) return null
    return inspect(handle.createReadStream({ signal }), maxBytes)
  }

  async read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null> {
    const handle = await this.#open(key)
    if (!handle) return null
    return streamOf(handle.createReadStream(range ?? {}))
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
  }

  async removeAccount(accountId: string): Promise<void> {
    if (!ACCOUNT.test(accountId)) throw new Error(`${accountId} is not the name of an account`)
    await rm(join(this.#directory, accountId), { recursive: true, force: true })
  }

  /** Removes parts of files whose writer is gone. */
  async sweep(now = Date.now()): Promise<void> {
    const parts = await readdir(this.#incoming).catch(() => [])
    for (const part of parts) {
      const path = join(this.#incoming, part)
      const found = await stat(path).catch(() => null)
      if (found && now - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true })
    }
  }

  async close(): Promise<void> {}

  get #incoming(): string {
    return join(this.#directory, 'incoming')
  }

  #pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`${key} is not the key of a file`)
    return join(this.#directory, key)
  }

  #open(key: string): Promise<FileHandle | null> {
    return open(this.#pathOf(key), 'r').catch(nullIfMissing)
  }
}

/** Unlike a renaming, a link never takes the place of a file. */
async function linkOnce(part: string, path: string): Promise<void> {
  await link(part, path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new KeyTakenError('The file already has bytes.') : error
  })
}

/** A new name in a directory survives a power loss once the directory is written. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
