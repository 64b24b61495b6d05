import { existsSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory and its missing parents, readable only by this user, if it does not exist. Does not use `recursive`, with
 * which Node.js retries forever below a path such as /proc, where mkdir fails with ENOENT.
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
 * Syncs a directory to the disk, so that files that were created or removed in it stay so after a power loss. Does nothing if the
 * directory cannot be opened.
 */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null)
  await handle?.sync().finally(() => handle.close())
}
