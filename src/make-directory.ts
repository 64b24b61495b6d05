import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
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
  }
}
