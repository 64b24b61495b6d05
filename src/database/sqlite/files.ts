import { type Stats, statSync } from 'node:fs'
import { StorageError } from '../database.ts'

/** The suffixes of the files with the write-ahead log and with its index in shared memory. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
/** A transaction does not check the files if the last check is more recent than this, because the commit checks them, too. */
const RECENT_MS = 50

/**
 * Checks the files that the open connections use. If they are deleted or replaced, SQLite continues without an error in the deleted
 * files, and everything that is committed from then on is lost when the process ends.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #opened: { path: string; file: Stats | undefined }[]
  #seenAt = Number.NEGATIVE_INFINITY

  /** Create the object after the connections have read, because the first read creates all files. */
  constructor(path: string) {
    this.path = path
    this.#opened = ['', LOG_INDEX, LOG].map((suffix) => ({ path: path + suffix, file: fileAt(path + suffix) }))
  }

  /** Throws StorageError if a path no longer refers to the open file. */
  check(): void {
    this.#seenAt = Number.NEGATIVE_INFINITY
    for (const { path, file } of this.#opened) {
      const found = fileAt(path)
      if (found?.ino !== file?.ino || found?.dev !== file?.dev)
        throw new StorageError(
          'unavailable',
          `${path} is not the file that this process opened: it was deleted, moved or replaced. Put it back, or start again.`,
        )
    }
    this.#seenAt = performance.now()
  }

  checkUnlessSeen(): void {
    if (performance.now() - this.#seenAt > RECENT_MS) this.check()
  }

  /** Throws an Error if the files have disappeared. It is not a StorageError, because the commit may be in files that are put back. */
  checkCommitted(): void {
    try {
      this.check()
    } catch (cause) {
      throw new Error('The files of the database went away while it was written.', { cause })
    }
  }
}

function fileAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
