// The directory for the databases and files of one test run.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The maximum size of the databases and files of a run. Twice as much memory must be free, to leave half for the test processes. */
const NEEDED_BYTES = 2 * 2 ** 30

/**
 * Creates an empty directory that all users may enter, in memory if there is room, because most of the time of a suite is spent waiting
 * for the disk in SQLite commits. Pushes a function that removes it onto `undo`. Uses TMPDIR if it is set.
 */
export function makeScratch(undo) {
  const parent = !process.env.TMPDIR && hasRoom() ? MEMORY : tmpdir()
  const directory = mkdtempSync(join(parent, 'shopwright-tests-'))
  // PostgreSQL may run as another user.
  chmodSync(directory, 0o755)
  undo.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES && freemem() >= 2 * NEEDED_BYTES
  } catch {
    return false
  }
}
