import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from './database.ts'
import { type OnlineStatement, onlineStatements } from './online-migration.ts'

export type Engine = 'sqlite' | 'postgres'

/** One forward step of the schema. It has one name, and is applied once, whichever engine there is. */
export interface Migration {
  /** Sorts in the order of application: `0195_schema`. */
  name: string
  /** One text that both engines accept, or one for each where they need different words for the same thing. */
  sql: string | Readonly<Record<Engine, string>>
}

/** The text of a migration for one engine. */
export function sqlFor({ sql }: Migration, engine: Engine): string {
  return typeof sql === 'string' ? sql : sql[engine]
}

/** One connection of an engine that applies migrations; `begin` also keeps other replicas waiting until the end. */
export interface MigrationSession {
  readonly engine: Engine
  /** Whether there is a record of migrations. */
  isPrepared(): Promise<boolean>
  prepare(createTable: string): Promise<void>
  begin(): Promise<void>
  applied(): Promise<string[]>
  /** Runs the migration's SQL and records it; `appliedAt` is an ISO 8601 time. */
  apply(migration: Migration, appliedAt: string): Promise<void>
  /** Runs statements by themselves, outside the transaction that was begun, and records the migration in it. */
  applyOnline(statements: OnlineStatement[], migration: Migration, appliedAt: string): Promise<void>
  /** Whether a failure means that others held what a migration needs for too long, so that it should be tried again. */
  isLocked(error: unknown): boolean
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** A migration that cannot have its lock lets the others pass and tries again: for ten minutes, beside the longest backups. */
const ATTEMPTS = 200
const PAUSE_MS = 2_000

const CREATE_TABLE = `create table if not exists schema_migrations (
  name text not null primary key,
  applied_at text not null
)`

/** `0196_name.sql`, or `0196_name.sqlite.sql` with `0196_name.postgres.sql`. */
const FILE = /^(?<name>.+?)(?:\.(?<engine>sqlite|postgres))?\.sql$/

/** The first line of the baseline: how many migrations it replaces, and the last version that had them. */
const BASELINE = /^-- baseline: replaces (?<count>\d+) migrations, .* at (?<version>commit \w+)$/m

/**
 * Reads every `*.sql` of a directory, in the order of the names. A migration is one file, one for each engine, or one for both and then one
 * for each engine. Throws an Error where one engine's file is missing.
 */
export async function loadMigrations(directory: URL): Promise<Migration[]> {
  const base = directory.href.endsWith('/') ? directory : new URL(`${directory.href}/`)
  const texts = new Map<string, Record<string, string>>()
  for (const file of await readdir(directory)) {
    const { name, engine = 'both' } = FILE.exec(file)?.groups ?? {}
    if (name === undefined) continue
    const text = await readFile(new URL(encodeURIComponent(file), base), 'utf8')
    texts.set(name, { ...texts.get(name), [engine]: text })
  }
  const inOrder = [...texts].sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.map(([name, files]) => ({ name, sql: textOf(name, files) }))
}

function textOf(name: string, { both = '', sqlite, postgres }: Record<string, string>): Migration['sql'] {
  if (sqlite === undefined && postgres === undefined) return both
  if (sqlite !== undefined && postgres !== undefined) return { sqlite: both + sqlite, postgres: both + postgres }
  throw new Error(
    `The migration ${name} needs one file, or one for each engine: ${name}.sqlite.sql and ${name}.postgres.sql`,
  )
}

/**
 * Applies what is missing, in order, each migration in its own transaction together with its record; an online one, which starts with
 * the line `-- online`, statement by statement (see `onlineStatements`).
 * Throws DatabaseStartError where this version cannot use the database; see `requireUsable`.
 */
export async function migrate(session: MigrationSession, migrations: Migration[]): Promise<void> {
  await session.prepare(CREATE_TABLE)
  for (let attempt = 1; ; attempt++) {
    try {
      if (!(await applyNext(session, migrations))) return
      attempt = 0
    } catch (error) {
      if (attempt === ATTEMPTS || !session.isLocked(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/**
 * Checks that a start of this version has brought the schema up to date, and changes nothing. `place` names the database.
 * Throws DatabaseStartError.
 */
export async function requireMigrated(
  session: Pick<MigrationSession, 'isPrepared' | 'applied'>,
  migrations: Migration[],
  place: string,
): Promise<void> {
  const applied = (await session.isPrepared()) ? await session.applied() : []
  if (applied.length === 0) throw noData(place)
  requireUsable(applied, migrations)
  const missing = migrations.find(({ name }) => !applied.includes(name))
  if (missing === undefined) return
  throw new DatabaseStartError(
    `${place} was last used by an earlier version of Shopwright (it lacks ${missing.name}): make a backup with that version, then start this one with npm start, which updates the database.`,
  )
}

/** The refusal of whoever needs a service that has been started before. */
export function noData(place: string): DatabaseStartError {
  return new DatabaseStartError(
    `${place} holds no data of Shopwright: set DATA_DIR or DATABASE_URL to those of the service, or start a new service with npm start.`,
    { reason: 'empty' },
  )
}

/** True when it applied one; false when nothing is missing. */
async function applyNext(session: MigrationSession, migrations: Migration[]): Promise<boolean> {
  await session.begin()
  try {
    const applied = await session.applied()
    requireUsable(applied, migrations)
    const next = migrations.find(({ name }) => !applied.includes(name))
    if (next) await applyOne(session, next === migrations[0] ? withoutReplaced(next, applied) : next)
    await session.commit()
    return next !== undefined
  } catch (error) {
    await session.rollback()
    throw error
  }
}

/** The baseline where the migrations that it replaces have run: its record takes the place of theirs. */
function withoutReplaced(first: Migration, applied: string[]): Migration {
  const sql = `delete from schema_migrations where name < '${first.name}'`
  return applied.some((name) => name < first.name) ? { ...first, sql } : first
}

async function applyOne(session: MigrationSession, migration: Migration): Promise<void> {
  const appliedAt = new Date().toISOString()
  const online = onlineStatements(sqlFor(migration, session.engine))
  if (online === null) await session.apply(migration, appliedAt)
  else await session.applyOnline(online, migration, appliedAt)
}

/**
 * Throws DatabaseStartError when this version cannot continue from the migrations that a database has had: it has one of a newer
 * version, or lacks one that the baseline replaces. `subject` begins the sentence.
 */
export function requireUsable(applied: string[], migrations: Migration[], subject = 'This database'): void {
  const [first] = migrations
  const older = applied.filter((name) => first && name < first.name)
  const known = new Set([...older, ...migrations.map(({ name }) => name)])
  const unknown = applied.filter((name) => !known.has(name)).sort()
  if (unknown.length > 0)
    throw new DatabaseStartError(
      `${subject} was made by a newer version of Shopwright (it has ${unknown.join(', ')}): start that version, or restore a backup made before the upgrade.`,
    )
  const { count, version } = (first && BASELINE.exec(sqlFor(first, 'sqlite'))?.groups) ?? {}
  if (older.length > 0 && older.length !== Number(count))
    throw new DatabaseStartError(
      `${subject} is too old for this version of Shopwright: start the version of ${version} with it once, then this one.`,
    )
}
