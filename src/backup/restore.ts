import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { checkCopy, lockDirectory, markQuiet } from '../database/copies.ts'
import { type Migration, requireUsable } from '../database/migrate.ts'
import { bytesInWords } from '../format/sizes.ts'
import { MODE } from './archive.ts'
import { BackupError, ENTRIES, Manifest } from './manifest.ts'

/** The folder in the data directory into which an archive is unpacked before it is checked. */
const UNPACKED = 'restore'
/** The maximum size of the manifest and of the key; usual ones have a few kilobytes at most. */
const MOST_TEXT_BYTES = 1_000_000
const NAME = /^(shopwright\.db|secret\.key|manifest\.json|files\/[a-z0-9_]+\/[a-z0-9_]+)$/

interface RestoreTarget {
  directory: string
  engine: Manifest['engine']
  migrations: Migration[]
}

/** Unpacks and checks a backup, then moves it into an empty data directory. Throws BackupError or DatabaseStartError. */
export async function restoreBackup(file: string, target: RestoreTarget): Promise<Manifest> {
  const { directory } = target
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`)
  const lock = lockDirectory(directory)
  const unpacked = join(directory, UNPACKED)
  try {
    refuseData(directory)
    await removeAll(unpacked)
    await mkdir(unpacked, { mode: 0o700 })
    await unpack(file, unpacked)
    const manifest = await readManifest(file, unpacked)
    await check(file, manifest, unpacked, target)
    if (target.engine === 'sqlite') markQuiet(join(unpacked, ENTRIES.database))
    await putInPlace(unpacked, directory)
    return manifest
  } finally {
    await removeAll(unpacked)
    lock.release()
  }
}

/** Retries, because tar may still write for a moment after an archive was refused halfway. */
function removeAll(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true, maxRetries: 10 })
}

function refuseData(directory: string): void {
  const there = [ENTRIES.database, ENTRIES.key, ENTRIES.files].find((name) => existsSync(join(directory, name)))
  if (there)
    throw new BackupError(
      `${join(directory, there)} is there already: set DATA_DIR to a new directory, or move it away.`,
    )
}

async function unpack(file: string, directory: string): Promise<void> {
  const seen = new Set<string>()
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  let needed = 0
  let problem: string | null = null
  // The library calls this filter while it reads; an error thrown here would end the process.
  const filter = (path: string, entry: object) => {
    // The library never unpacks more of an entry than its stated size.
    const size = 'size' in entry ? Number(entry.size) : 0
    needed += size
    const found = problemOf(path, { isFile: 'type' in entry && entry.type === 'File', size, seen })
    problem ??= found
    if ('mode' in entry) entry.mode = MODE
    return found === null && needed <= free
  }
  try {
    await extract({ file, cwd: directory, strict: true, filter, dmode: 0o700 })
  } catch (cause) {
    if (problem === null && needed <= free)
      throw new BackupError(`${file} cannot be unpacked: ${(cause as Error).message}.`, { cause })
  }
  if (problem !== null) throw new BackupError(`${file} is not a backup of Shopwright: ${problem}.`)
  if (needed > free)
    throw new BackupError(
      `${file} needs ${bytesInWords(needed)}, and only ${bytesInWords(free)} are free for ${directory}: free more, or set DATA_DIR to a larger disk.`,
    )
}

interface ArchiveEntry {
  isFile: boolean
  size: number
  seen: Set<string>
}

/** Returns why an entry cannot be part of a backup, or null. A backup consists of regular files, and each occurs once. */
function problemOf(path: string, { isFile, size, seen }: ArchiveEntry): string | null {
  const name = path.replace(/\/+$/, '')
  const shown = path.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
  if (!NAME.test(name)) return `it holds ${shown}`
  if (!isFile) return `${name} is not a file`
  if (seen.has(name)) return `it holds ${name} twice`
  if ((name === ENTRIES.key || name === ENTRIES.manifest) && size > MOST_TEXT_BYTES) return `its ${name} is too large`
  seen.add(name)
  return null
}

async function readManifest(file: string, unpacked: string): Promise<Manifest> {
  const path = join(unpacked, ENTRIES.manifest)
  if (!existsSync(path)) throw new BackupError(`${file} has no end: it is no backup, or was not copied to its end.`)
  try {
    return Manifest.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw new BackupError(`${file} cannot be restored: its ${ENTRIES.manifest} is not one of this version.`, { cause })
  }
}

async function check(
  file: string,
  manifest: Manifest,
  unpacked: string,
  { engine, migrations }: RestoreTarget,
): Promise<void> {
  if (manifest.engine !== engine) throw new BackupError(OTHER_ENGINE[manifest.engine])
  requireEntry(file, unpacked, ENTRIES.database, engine === 'sqlite')
  requireEntry(file, unpacked, ENTRIES.key, manifest.has_key)
  const files = (await filesIn(unpacked)).filter((path) => path.startsWith(join(unpacked, ENTRIES.files)))
  if (files.length !== manifest.files)
    throw new BackupError(`The backup has ${files.length} files and should have ${manifest.files}: it was changed.`)
  if (engine === 'sqlite') requireUsable(checkCopy(join(unpacked, ENTRIES.database)), migrations, 'The backup')
}

function requireEntry(file: string, unpacked: string, name: string, expected: boolean): void {
  const isThere = existsSync(join(unpacked, name))
  if (isThere && !expected) throw new BackupError(`${file} has a ${name} and should have none: it was changed.`)
  if (!isThere && expected) throw new BackupError(`${file} has no ${name}: it was changed.`)
}

const OTHER_ENGINE = {
  sqlite: 'The backup holds an embedded database, and DATABASE_URL is set: unset it.',
  postgres:
    'The backup is that of a service on PostgreSQL: set DATABASE_URL to the database that pg_restore has filled.',
}

/** Moves the database last, so that a directory without a database shows that a restore has not finished. */
async function putInPlace(unpacked: string, directory: string): Promise<void> {
  for (const path of await everythingIn(unpacked)) await sync(path)
  const moved: string[] = []
  try {
    for (const name of [ENTRIES.files, ENTRIES.key, ENTRIES.database]) {
      if (!existsSync(join(unpacked, name))) continue
      await rename(join(unpacked, name), join(directory, name))
      moved.push(join(directory, name))
    }
    await sync(directory)
  } catch (error) {
    for (const path of moved) await rm(path, { recursive: true, force: true })
    throw error
  }
}

/** Includes directories: a file's name survives a power loss only once its directory is synced. */
async function everythingIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.map(({ parentPath, name }) => join(parentPath, name))
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}
