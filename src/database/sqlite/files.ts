import { type Stats, statSync } from 'node:fs'
import { StorageError } from '../database.ts'

/** SQLite's own names for the log of commits and its index in memory that processes share. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
/** What was seen this shortly before a transaction needs no second look: it is looked at again after the commit. */
const RECENT_MS = 50

/**
 * The files that the open connections use. When they are deleted or replaced, SQLite goes on in files that no path leads to,
 * and says nothing: what is committed then is gone with the process.
 */
export class DatabaseFiles {
  readonly path: string
  readonly #opened: { path: string; file: Stats | undefined }[]
  #seenAt = Number.NEGATIVE_INFINITY

  /** To be made once the connections have read, which makes all of the files. */
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

  /** As `check`, unless the last look was a moment ago. */
  checkUnlessSeen(): void {
    if (performance.now() - this.#seenAt > RECENT_MS) this.check()
  }

  /** Throws when the files have gone since the last look: nobody knows whether they will come back with what was committed. */
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
