import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BoundedMap } from '../../../runtime/bounded-map.ts'
import { makeDirectory, syncDirectory } from '../../../runtime/make-directory.ts'
import { inspect } from '../inspector.ts'
import { type ByteRange, type Contents, type FileStore, KeyTakenError, type WriteOptions } from '../provider.ts'
import { streamOf, writeAll } from '../stream.ts'

/** The age at which a partial file counts as abandoned, which is longer than any write takes. */
const LEFT_BEHIND_MS = 3 * 60 * 60 * 1000
/** Matches the keys of files, which are checked because they become paths. */
const KEY = /^[a-z0-9_]+\/[a-z0-9_]+$/
const ACCOUNT = /^[a-z0-9_]+$/
/** The number of account directories that are remembered as synced to the disk. A forgotten one is synced again. */
const REMEMBERED = 10_000

/** Stores bytes in local files: `<directory>/<account>/<file>`. */
export class LocalFiles implements FileStore {
  readonly name = 'local'
  readonly uploadsBelow = null
  readonly #directory: string
  /** Directories that exist and were synced to the disk. */
  readonly #kept = new BoundedMap<string, Promise<void>>(REMEMBERED)

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
      await this.#keepDirectory(dirname(path))
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
    const path = this.#pathOf(key)
    await rm(path, { force: true })
    await syncDirectory(dirname(path))
  }

  async removeAccount(accountId: string): Promise<void> {
    if (!ACCOUNT.test(accountId)) throw new Error(`${accountId} is not the name of an account`)
    const directory = join(this.#directory, accountId)
    this.#kept.delete(directory)
    await rm(directory, { recursive: true, force: true })
    await syncDirectory(this.#directory)
  }

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

  /** Syncs the directory and its parents, even if another write or an earlier process created them without syncing. */
  async #keepDirectory(directory: string): Promise<void> {
    const kept = this.#kept.get(directory)
    // The deletion of an account also removes its directory.
    if (kept && existsSync(directory)) return kept
    const made = makeSure(directory, this.#directory)
    this.#kept.set(directory, made)
    await made.catch((error: unknown) => {
      this.#kept.delete(directory)
      throw error
    })
  }

  #pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error(`${key} is not the key of a file`)
    return join(this.#directory, key)
  }

  #open(key: string): Promise<FileHandle | null> {
    return open(this.#pathOf(key), 'r').catch(nullIfMissing)
  }
}

/** Gives a complete file its final name. A link, unlike a rename, never replaces an existing file. */
async function linkOnce(part: string, path: string): Promise<void> {
  await link(part, path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new KeyTakenError('The file already has bytes.') : error
  })
}

async function makeSure(directory: string, store: string): Promise<void> {
  await makeDirectory(directory)
  await syncDirectory(store)
  await syncDirectory(dirname(store))
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
