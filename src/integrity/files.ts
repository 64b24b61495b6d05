import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../resources/tables.ts'
import { type Finding, foundAt } from './finding.ts'

/** The name under which rows refer to the local file store. */
const LOCAL = 'local'
const UNFINISHED = 'incoming'

interface ReferencedFile {
  key: string
  what: string
  /** Null if the upload may not have finished. */
  size: number | null
  sha256: string | null
}

export interface FileCheckResult {
  findings: Finding[]
  count: number
  bytes: number
  /** The number of files in external stores, which are not checked. */
  outside: number
}

type StoredFiles = readonly RawBuilder<unknown>[]

interface FileCheckOptions {
  db: Db
  /** Opens a newer snapshot of the data, to recognize files that were deleted or created since `db`. */
  later: () => Promise<Db>
  directory: string
  /** The queries of files of features, as in `Extensions`. */
  storedFiles: StoredFiles
  /** Whether to hash the content, which takes as long as reading every file. */
  hashes: boolean
}

/** Compares the files of a data directory with the rows that reference them, in both directions. */
export async function checkFiles(options: FileCheckOptions): Promise<FileCheckResult> {
  const { db, later, directory, storedFiles, hashes } = options
  const store = join(directory, 'files')
  const named = await namedFiles(db, storedFiles)
  const found = await filesIn(store)
  const [missing, wrong]: [ReferencedFile[], string[]] = [[], []]
  let [count, bytes] = [0, 0]
  for (const file of named.values()) {
    const size = found.get(file.key)
    if (size === undefined) {
      if (file.size !== null) missing.push(file)
      continue
    }
    count += 1
    bytes += size
    const problem = await problemOf(join(store, file.key), size, hashes ? file : { ...file, sha256: null })
    if (problem !== null) wrong.push(`${file.key} (${file.what}): ${problem}`)
  }
  const strays = [...found.keys()].filter((key) => !named.has(key))
  // A running server may have changed files since the snapshot, so only mismatches that the current data confirms are reported.
  const now = missing.length + strays.length > 0 ? await later() : db
  const stillNamed = missing.length > 0 ? await namedFiles(now, storedFiles) : named
  const gone = missing.filter(({ key }) => stillNamed.get(key)?.size != null)
  const left = strays.length > 0 ? await withoutRow(now, strays, storedFiles) : []
  return { findings: findingsOf(gone, wrong, left), count, bytes, outside: await countOutside(db) }
}

function findingsOf(missing: ReferencedFile[], wrong: string[], strays: string[]): Finding[] {
  const found = (places: string[], problem: string, advice: string) =>
    foundAt(places, { area: 'files', severity: 'wrong', problem, advice }) ?? []
  return [
    found(
      missing.map(({ key, what }) => `${key} (${what})`),
      'Files are missing that rows name',
      'Copy them from a backup into the directory files of DATA_DIR, under the same names.',
    ),
    found(wrong, 'Files are not what their rows say', 'Replace them by those of a backup, and check the disk.'),
    found(
      strays,
      'Files are there that no row names, and nothing is going to remove them',
      'When the database is the right one, delete them from the directory files of DATA_DIR; they only take space.',
    ),
  ].flat()
}

async function problemOf(
  path: string,
  size: number,
  { size: expected, sha256 }: ReferencedFile,
): Promise<string | null> {
  if (expected === null) return null
  if (size !== expected) return `it has ${size} bytes, not ${expected}`
  if (sha256 === null) return null
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex') === sha256 ? null : 'its bytes have changed (another SHA-256)'
}

async function namedFiles(db: Db, storedFiles: StoredFiles): Promise<Map<string, ReferencedFile>> {
  const ofFeatures = storedFiles.map(
    (files) => sql`
    union all
    select account_id, id, what, case when complete then size end, case when complete then sha256 end
    from (${files}) as stored where store = ${LOCAL}`,
  )
  const { rows } = await sql<{
    account_id: string
    id: string
    what: string
    size: number | null
    sha256: string | null
  }>`
    select account_id, id, coalesce(filename, 'a file without a name') as what,
      case when upload_status = 'ready' or stored_bytes > 0 then stored_bytes end as size,
      case when upload_status = 'ready' then checksum end as sha256
    from files where store = ${LOCAL} and upload_status <> 'failed'
    ${sql.join(ofFeatures, sql` `)}
    union all
    select account_id, id, 'an export of the account', case when status = 'ready' then size end, null
    from account_exports where store = ${LOCAL} and status <> 'expired'`.execute(db)
  return new Map(
    rows.map(({ account_id, id, what, size, sha256 }) => {
      const key = `${account_id}/${id}`
      return [key, { key, what, size, sha256 }]
    }),
  )
}

async function filesIn(store: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const account of await namesIn(store)) {
    if (account === UNFINISHED) continue
    for (const file of await namesIn(join(store, account))) {
      const there = await stat(join(store, account, file)).catch(() => null)
      if (there?.isFile()) found.set(`${account}/${file}`, there.size)
    }
  }
  return found
}

async function withoutRow(db: Db, keys: readonly string[], storedFiles: StoredFiles): Promise<string[]> {
  const named = await namedFiles(db, storedFiles)
  const removed = await sql<{ payload: string }>`
    select payload from jobs where name = 'remove_file_bytes' and state not in ('done', 'failed')`.execute(db)
  const going = new Set(removed.rows.map(({ payload }): string => JSON.parse(payload).key))
  const { rows } = await sql<{ id: string }>`select id from account_deletions`.execute(db)
  const deleted = new Set(rows.map(({ id }) => id))
  return keys.filter((key) => !named.has(key) && !going.has(key) && !deleted.has(key.split('/')[0] ?? ''))
}

async function countOutside(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from files where store <> ${LOCAL} and stored_bytes > 0`.execute(db)
  return rows[0]?.count ?? 0
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}
