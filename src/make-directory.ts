import { existsSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory with those above it, for this user only, unless it is there. Not with `recursive`: Node.js tries for ever
 * below a path such as /proc, where making one says that there is none (ENOENT).
 */
export async function makeDirectory(directory: string): Promise<void> {
  const above = dirname(directory)
  if (above !== directory && !existsSync(above)) await makeDirectory(above)
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    const found = await stat(directory).catch(() => null)
    if (!found?.isDirectory()) throw error
    return
  }
  await syncDirectory(above)
}

/**
 * Writes the names in a directory to the disk: a new name survives a power loss only after this, and so does the absence of one
 * that was removed. Where a system cannot open a directory, or this user may not read it, nothing can be done.
 */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null)
  await handle?.sync().finally(() => handle.close())
}
