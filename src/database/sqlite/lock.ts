import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DirectoryInUseError } from '../database.ts'
import { hasCode, SQLITE_BUSY } from './errors.ts'
import { makeDirectory, startError } from './start.ts'

export interface ProcessLock {
  release(): void
}

/**
 * Locks the data directory for this process until `release` is called or the process dies. The lock is an exclusive transaction on a
 * separate small file, which the operating system releases even after kill -9. Throws DirectoryInUseError if another process holds it.
 */
export function lockDirectory(directory: string): ProcessLock {
  // The process id is in a separate file: under POSIX, closing any handle of the locked file would release this process's lock.
  const pidFile = join(directory, 'shopwright.pid')
  let lock: DatabaseSync | undefined
  try {
    makeDirectory(directory)
    lock = new DatabaseSync(join(directory, 'shopwright.lock'), { timeout: 0 })
    lock.exec('begin exclusive')
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (error) {
    lock?.close()
    throw hasCode(error, SQLITE_BUSY) ? inUse(directory, pidFile) : startError(error, directory)
  }
  const held = lock
  return {
    release: () => {
      rmSync(pidFile, { force: true })
      held.close()
    },
  }
}

function inUse(directory: string, pidFile: string): DirectoryInUseError {
  const other = ownerOf(pidFile)
  return new DirectoryInUseError(
    `The data directory ${resolve(directory)} is in use by ${other}: stop that one, set DATA_DIR to another directory, or set DATABASE_URL to a PostgreSQL database to run several replicas.`,
  )
}

function ownerOf(pidFile: string): string {
  try {
    return `another Shopwright process (pid ${readFileSync(pidFile, 'utf8').trim()})`
  } catch {
    return 'another Shopwright process'
  }
}
