import { type Stats, statSync } from 'node:fs'
import { StorageError } from '../database.ts'

/** The suffixes that SQLite gives to the write-ahead log and to its index in shared memory. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
/** A transaction skips the check if the last one is more recent than this, because the commit checks again. */
const RECENT_MS = 50

/**
 * The files that the open connections use. If they are deleted or replaced, SQLite continues without an error in the unlinked files,
 * and everything committed from then on is lost when the process ends.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #opened: { path: string; file: Stats | undefined }[]
  #seenAt = Number.NEGATIVE_INFINITY

  /** Create it after the connections have read, because the first read creates all files. */
  constructor(path: string) {
    this.path = path
    this.#opened = ['', LOG_INDEX, LOG].map((suffix) => ({ path: path + suffix, file: fileAt(path + suffix) }))
  }

  /** Throws StorageError when a path no longer leads to the open file. */
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

  /** Like `check`, but skips it if the last one was within `RECENT_MS`. */
  checkUnlessSeen(): void {
    if (performance.now() - this.#seenAt > RECENT_MS) this.check()
  }

  /** Throws an Error if the files have disappeared. It is no StorageError, because the files may be put back with the commit in them. */
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
