import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkCopy, copyDatabase, noData, placeOf, requireDatabase } from '../database/copies.ts'
import { ArchiveWriter } from './archive.ts'
import { BackupError, ENTRIES, type Manifest } from './manifest.ts'

/** Parts of uploads that are under way. */
const UNFINISHED = 'incoming'

interface Source {
  directory: string
  /** With PostgreSQL, the database is not part of the backup. */
  engine: Manifest['engine']
}

/**
 * Backs up a data directory while it is in use: the embedded database first, as it is at one moment, then the secret key and
 * the files, which never change. `target` is there when all of it is on the disk, and not before. Throws BackupError or
 * DatabaseStartError.
 */
export async function makeBackup(source: Source, target: string): Promise<Manifest> {
  requireData(source)
  if (await exists(target)) throw new BackupError(`${target} is there already: name a new file.`)
  const part = `${target}.${randomUUID()}.part`
  const copy = `${part}.db`
  try {
    const archive = await open(part, 'wx', 0o600).catch((error: Error) => {
      throw new BackupError(`${target} cannot be written: ${error.message.replace(/,.*/, '')}.`)
    })
    const manifest = await fill(new ArchiveWriter(archive), source, copy).finally(() => archive.close())
    await putInPlace(part, target)
    return manifest
  } finally {
    for (const path of [part, copy, `${copy}-journal`]) await rm(path, { force: true })
  }
}

/** With PostgreSQL, the directory has the key and the files alone. */
function requireData({ directory, engine }: Source): void {
  if (engine === 'sqlite') requireDatabase(directory)
  else if (!existsSync(directory)) throw noData(placeOf(directory))
}

async function fill(archive: ArchiveWriter, { directory, engine }: Source, copy: string): Promise<Manifest> {
  let migrations: string[] = []
  if (engine === 'sqlite') {
    await copyDatabase(directory, copy)
    migrations = checkCopy(copy)
    await addOpen(archive, ENTRIES.database, await open(copy))
    await rm(copy)
  }
  const hasKey = await addFile(archive, ENTRIES.key, join(directory, ENTRIES.key))
  const files = await addFiles(archive, join(directory, ENTRIES.files))
  const made_at = new Date().toISOString()
  const manifest: Manifest = { format: 1, made_at, engine, migrations, has_key: hasKey, files }
  await archive.addText(ENTRIES.manifest, JSON.stringify(manifest))
  await archive.end()
  return manifest
}

/** Adds the files of every account, and says how many there are. */
async function addFiles(archive: ArchiveWriter, directory: string): Promise<number> {
  let count = 0
  for (const account of await namesIn(directory)) {
    if (account === UNFINISHED) continue
    for (const file of await namesIn(join(directory, account)))
      if (await addFile(archive, `${ENTRIES.files}/${account}/${file}`, join(directory, account, file))) count += 1
  }
  return count
}

/** False when it is not there: what is deleted after the copy of the database may be gone. */
async function addFile(archive: ArchiveWriter, name: string, path: string): Promise<boolean> {
  const file = await open(path).catch(nullIfMissing)
  if (file) await addOpen(archive, name, file)
  return file !== null
}

async function addOpen(archive: ArchiveWriter, name: string, file: FileHandle): Promise<void> {
  await archive.addFile(name, file).finally(() => file.close())
}

/** A link never takes the place of a file; where the file system has none, a renaming has to do. */
async function putInPlace(part: string, target: string): Promise<void> {
  await link(part, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new BackupError(`${target} is there by now: name a new file.`)
    return rename(part, target)
  })
  const directory = await open(dirname(target))
  await directory.sync().finally(() => directory.close())
}

async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(nullIfMissing)) ?? []
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfMissing)) !== null
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
