// Where the tests of one run keep their databases and files.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** What the databases and files of a run need at most, and as much again for the processes of the tests. */
const NEEDED_BYTES = 2 * 2 ** 30

/**
 * Makes an empty directory that everybody may enter, in memory if there is room: each commit of SQLite waits for the disk, which
 * is most of the time of a suite. Pushes onto `undo` what removes it. An own TMPDIR is respected.
 */
export function makeScratch(undo) {
  const parent = !process.env.TMPDIR && hasRoom() ? MEMORY : tmpdir()
  const directory = mkdtempSync(join(parent, 'shopwright-tests-'))
  // PostgreSQL runs as another user.
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
