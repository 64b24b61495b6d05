import { statSync } from 'node:fs'
import { StorageError } from '../database.ts'

/** SQLite's own names for the log of commits and its index in memory that processes share. */
const LOG = '-wal'
const LOG_INDEX = '-shm'

/**
 * The files that the open connections use. When they are deleted or replaced, SQLite goes on in files that no path leads to,
 * and says nothing: what is committed then is gone with the process.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #opened: Map<string, string | undefined>

  /** To be made once the connections have read, which makes all of the files. */
  constructor(path: string) {
    this.path = path
    this.#opened = new Map(['', LOG, LOG_INDEX].map((suffix) => [suffix, this.#identity(suffix)]))
  }

  /** Throws StorageError when a path no longer leads to the open file. */
  check(): void {
    for (const [suffix, opened] of this.#opened) {
      if (this.#identity(suffix) === opened) continue
      throw new StorageError(
        'unavailable',
        `${this.path}${suffix} is not the file that this process opened: it was deleted, moved or replaced. Put it back, or start again.`,
      )
    }
  }

  /** Bytes of the log of commits. */
  logSize(): number {
    return statSync(`${this.path}${LOG}`, { throwIfNoEntry: false })?.size ?? 0
  }

  #identity(suffix: string): string | undefined {
    const found = statSync(this.path + suffix, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
}
