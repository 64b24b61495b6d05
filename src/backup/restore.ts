import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extract } from 'tar'
import { checkCopy, lockDirectory, markQuiet } from '../database/copies.ts'
import { BackupError, ENTRIES, Manifest } from './manifest.ts'

/** Where an archive is unpacked, in the data directory, until it has been checked. */
const UNPACKED = 'restore'
const NAME = /^(shopwright\.db|secret\.key|manifest\.json|files\/[a-z0-9_]+\/[a-z0-9_]+)$/

interface Target {
  directory: string
  engine: Manifest['engine']
  /** The names of the migrations that this version knows. */
  migrations: string[]
}

/**
 * Unpacks a backup into a data directory without data that no server uses, and checks all of it before anything is put in its
 * place. Throws BackupError, or DatabaseStartError when the directory is in use or the database is damaged.
 */
export async function restoreBackup(file: string, target: Target): Promise<Manifest> {
  const { directory } = target
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`)
  const lock = lockDirectory(directory)
  const unpacked = join(directory, UNPACKED)
  try {
    refuseData(directory)
    await rm(unpacked, { recursive: true, force: true })
    await mkdir(unpacked, { mode: 0o700 })
    await unpack(file, unpacked)
    const manifest = await readManifest(file, unpacked)
    await check(manifest, unpacked, target)
    if (target.engine === 'sqlite') markQuiet(join(unpacked, ENTRIES.database))
    await putInPlace(unpacked, directory)
    return manifest
  } finally {
    await rm(unpacked, { recursive: true, force: true })
    lock.release()
  }
}

function refuseData(directory: string): void {
  const there = [ENTRIES.database, ENTRIES.key, ENTRIES.files].find((name) => existsSync(join(directory, name)))
  if (there)
    throw new BackupError(
      `${join(directory, there)} is there already: set DATA_DIR to a new directory, or move it away.`,
    )
}

async function unpack(file: string, directory: string): Promise<void> {
  let stranger: string | undefined
  // An error thrown in here would end the process: tar calls it while it reads.
  const filter = (name: string) => {
    const known = NAME.test(name)
    if (!known) stranger ??= name
    return known
  }
  try {
    await extract({ file, cwd: directory, strict: true, filter, dmode: 0o700 })
  } catch (cause) {
    throw new BackupError(`${file} cannot be unpacked: ${(cause as Error).message}.`, { cause })
  }
  if (stranger !== undefined) throw new BackupError(`${file} is not a backup of Shopwright: it holds ${stranger}.`)
}

async function readManifest(file: string, unpacked: string): Promise<Manifest> {
  const text = await readFile(join(unpacked, ENTRIES.manifest), 'utf8').catch(() => null)
  if (text === null) throw new BackupError(`${file} has no end: it is no backup, or was not copied to its end.`)
  return Manifest.parse(JSON.parse(text))
}

async function check(manifest: Manifest, unpacked: string, { engine, migrations }: Target): Promise<void> {
  if (manifest.engine !== engine) throw new BackupError(OTHER_ENGINE[manifest.engine])
  const files = (await filesIn(unpacked)).filter((path) => path.startsWith(join(unpacked, ENTRIES.files)))
  if (files.length !== manifest.files)
    throw new BackupError(`The backup has ${files.length} files and should have ${manifest.files}: it was changed.`)
  if (engine === 'postgres') return
  const unknown = checkCopy(join(unpacked, ENTRIES.database)).filter((name) => !migrations.includes(name))
  if (unknown.length > 0)
    throw new BackupError(
      `The backup was made by a newer version of Shopwright (it has ${unknown.join(', ')}): use that.`,
    )
}

const OTHER_ENGINE = {
  sqlite: 'The backup holds an embedded database, and DATABASE_URL is set: unset it.',
  postgres:
    'The backup is that of a service on PostgreSQL: set DATABASE_URL to the database that pg_restore has filled.',
}

/** The database comes last: a directory without it is one in which a restore has not ended. */
async function putInPlace(unpacked: string, directory: string): Promise<void> {
  for (const path of await everythingIn(unpacked)) await sync(path)
  for (const name of [ENTRIES.files, ENTRIES.key, ENTRIES.database])
    if (existsSync(join(unpacked, name))) await rename(join(unpacked, name), join(directory, name))
  await sync(directory)
}

/** The names in a directory survive a power loss once the directory itself is written. */
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
