import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkCopy, copyDatabase, noData, placeOf, requireDatabase } from '../database/copies.ts'
import { ArchiveWriter } from './archive.ts'
import { BackupError, ENTRIES, type Manifest } from './manifest.ts'

const UNFINISHED = 'incoming'

interface BackupSource {
  directory: string
  /** With PostgreSQL, the backup does not include the database. */
  engine: Manifest['engine']
}

/** Backs up a data directory that may be in use. `target` appears once the backup is complete. Throws BackupError or DatabaseStartError. */
export async function makeBackup(source: BackupSource, target: string): Promise<Manifest> {
  requireData(source)
  if ((await stat(target).catch(nullIfMissing)) !== null)
    throw new BackupError(`${target} is there already: name a new file.`)
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

/** Throws if there is no database to back up or, with PostgreSQL, no data directory. */
function requireData({ directory, engine }: BackupSource): void {
  if (engine === 'sqlite') requireDatabase(directory)
  else if (!existsSync(directory)) throw noData(placeOf(directory))
}

async function fill(archive: ArchiveWriter, { directory, engine }: BackupSource, copy: string): Promise<Manifest> {
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

async function addFiles(archive: ArchiveWriter, directory: string): Promise<number> {
  let count = 0
  for (const account of await namesIn(directory)) {
    if (account === UNFINISHED) continue
    for (const file of await namesIn(join(directory, account)))
      if (await addFile(archive, `${ENTRIES.files}/${account}/${file}`, join(directory, account, file))) count += 1
  }
  return count
}

/** Returns false if the file is missing, because it may have been deleted after the database was copied. */
async function addFile(archive: ArchiveWriter, name: string, path: string): Promise<boolean> {
  const file = await open(path).catch(nullIfMissing)
  if (file) await addOpen(archive, name, file)
  return file !== null
}

async function addOpen(archive: ArchiveWriter, name: string, file: FileHandle): Promise<void> {
  await archive.addFile(name, file).finally(() => file.close())
}

/** Links the archive to its name, because a link never replaces an existing file. On file systems without links, renames the archive. */
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

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
