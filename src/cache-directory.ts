import { join } from 'node:path'
import { makeDirectory } from './make-directory.ts'
import { SettingError, type Settings } from './settings/config.ts'

/** Returns the directory for the interpreter's snapshot, or null if the default cannot be created. Throws SettingError for CACHE_DIR. */
export async function cacheDirectory({ CACHE_DIR, DATA_DIR }: Settings): Promise<string | null> {
  const directory = CACHE_DIR ?? join(DATA_DIR, 'cache')
  try {
    await makeDirectory(directory)
    return directory
  } catch (error) {
    if (CACHE_DIR === undefined) return null
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError(`The directory ${CACHE_DIR} cannot be made (${code}): set CACHE_DIR to another one.`)
  }
}
