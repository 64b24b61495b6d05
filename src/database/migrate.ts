import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from './database.ts'
import { type OnlineStatement, onlineStatements } from './online-migration.ts'

export type Engine = 'sqlite' | 'postgres'

/** A change of the schema, applied once. It has the same name on both engines. */
export interface Migration {
  /** Such as `0195_schema`. Migrations are applied in the order of their names. */
  name: string
  sql: string | Readonly<Record<Engine, string>>
}

export function sqlFor({ sql }: Migration, engine: Engine): string {
  return typeof sql === 'string' ? sql : sql[engine]
}

/** Applies migrations on one connection. `begin` also makes other replicas wait until the transaction ends. */
export interface MigrationSession {
  readonly engine: Engine
  isPrepared(): Promise<boolean>
  prepare(createTable: string): Promise<void>
  begin(): Promise<void>
  applied(): Promise<string[]>
  /** Runs the SQL of a migration and records it as applied; `appliedAt` is an ISO 8601 time. */
  apply(migration: Migration, appliedAt: string): Promise<void>
  /** Runs each statement outside of the open transaction, and records the migration as applied within it. */
  applyOnline(statements: OnlineStatement[], migration: Migration, appliedAt: string): Promise<void>
  /** Whether an error is a lock timeout, after which the migration should be tried again. */
  isLocked(error: unknown): boolean
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** A migration that cannot get its lock is retried for at least eight minutes, because a backup may hold a lock for minutes. */
const ATTEMPTS = 200
const PAUSE_MS = 2_000

const CREATE_TABLE = `create table if not exists schema_migrations (
  name text not null primary key,
  applied_at text not null
)`

/** The file name of a migration: `0196_name.sql`, or `0196_name.sqlite.sql` and `0196_name.postgres.sql`. */
const FILE = /^(?<name>.+?)(?:\.(?<engine>sqlite|postgres))?\.sql$/

/** The baseline's line with the number of migrations that it replaces and the last version that had them. */
const BASELINE = /^-- baseline: replaces (?<count>\d+) migrations, .* at (?<version>commit \w+)$/m

/**
 * Reads every `*.sql` file of a directory in the order of their names. A migration is one file for both engines, one file for each
 * engine, or a file for both followed by one for each. Throws an Error if the file for one of the engines is missing.
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
 * Applies the missing migrations in order, each in its own transaction, which also records it. An online migration, which starts with the
 * line `-- online`, runs statement by statement (see `onlineStatements`). Throws DatabaseStartError if this version cannot use the
 * database (see `requireUsable`).
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

/** Throws DatabaseStartError if the schema is not up to date, without changing it. `place` is the database's name in messages. */
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

export function noData(place: string): DatabaseStartError {
  return new DatabaseStartError(
    `${place} holds no data of Shopwright: set DATA_DIR or DATABASE_URL to those of the service, or start a new service with npm start.`,
    { reason: 'empty' },
  )
}

/** Returns false if no migration is missing. */
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

/** Returns the baseline. If the migrations that it replaces have been applied, its SQL only deletes their records. */
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
 * Throws DatabaseStartError if this version cannot use a database with these applied migrations: one of them belongs to a newer version,
 * or one that the baseline replaces was not applied. Migrations of features that this build lacks do no harm. The message begins with
 * `subject`.
 */
export function requireUsable(applied: string[], migrations: Migration[], subject = 'This database'): void {
  const [first] = migrations
  const older = applied.filter((name) => first && name < first.name)
  const known = new Set([...older, ...migrations.map(({ name }) => name)])
  const features = new Set(migrations.map(({ name }) => featureOf(name)))
  const unknown = applied.filter((name) => !known.has(name) && features.has(featureOf(name))).sort()
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

/** Returns the feature to which a migration belongs: `social` for `social/0001_schema`; empty for the core. */
function featureOf(migration: string): string {
  return migration.slice(0, Math.max(0, migration.indexOf('/')))
}
