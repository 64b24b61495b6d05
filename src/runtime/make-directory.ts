import { existsSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and its missing parents, readable only by this user, unless it exists. Does not use the option `recursive`,
 * because Node.js then retries forever below paths such as /proc, where mkdir fails with ENOENT.
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
 * Syncs a directory to the disk, so that the creation and removal of files in it survive a power loss. Does nothing if the
 * directory cannot be opened.
 */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null)
  await handle?.sync().finally(() => handle.close())
}
