import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { type MigrationSession, sqlFor } from '../migrate.ts'
import { indexOf, type OnlineStatement } from '../online-migration.ts'
import { codeOf } from './errors.ts'
import { connect } from './pool.ts'

/** Errors if another replica creates the same table at the same time. PostgreSQL reports them in spite of IF NOT EXISTS. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710', '40001'])
/** The lock timeout of migrations. It is short, because all other statements on a table queue behind one that waits for a lock. */
const LOCK_TIMEOUT = '500ms'
/**
 * The lock timeout of online statements, which block no one while they wait for other transactions. It ends the deadlock with processes
 * of version 0.2.0, which hold a snapshot while they wait for the migration.
 */
const ONLINE_LOCK_TIMEOUT = '60s'
/** How often to check whether another replica has finished its migrations. */
const TURN_PAUSE_MS = 100
/** The SQLSTATE code `lock_not_available`. */
const LOCKED = '55P03'
const ATTEMPTS = 20
const PAUSE_MS = 50
/** Migrations are exempt from the normal query timeout. */
const QUERY_TIMEOUT_MS = 24 * 60 * 60 * 1000

/**
 * Returns a session that runs migrations on one connection. Each transaction locks a row, for which other replicas wait. Unlike a session
 * lock, this also works through a connection pooler and on databases that are compatible with PostgreSQL. Online statements run on
 * another connection of the pool while this one holds the row lock.
 */
export function migrationSession(client: PoolClient, pool: Pool): MigrationSession {
  return {
    engine: 'postgres',
    async isPrepared() {
      const { rows } = await client.query<{ found: boolean }>(
        `select to_regclass('schema_migrations') is not null as found`,
      )
      return rows[0]!.found
    },
    async prepare(createTable) {
      await createOnce(client, createTable)
      await createOnce(client, 'create table if not exists schema_migration_lock (id integer not null primary key)')
      await client.query('insert into schema_migration_lock (id) values (1) on conflict do nothing')
    },
    async begin() {
      while (!(await tryBegin(client))) await sleep(TURN_PAUSE_MS)
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    },
    async applied() {
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
      return rows.map(({ name }) => name)
    },
    async apply(migration, appliedAt) {
      await runLongStatement(client, sqlFor(migration, 'postgres'))
      await client.query(RECORD, [migration.name, appliedAt])
    },
    async applyOnline(statements, migration, appliedAt) {
      const other = await connect(pool)
      try {
        await other.query(`set lock_timeout = '${ONLINE_LOCK_TIMEOUT}'`)
        for (const statement of statements) await runOnline(other, statement)
      } finally {
        await other.query('reset lock_timeout').catch(() => {})
        other.release()
      }
      await client.query(RECORD, [migration.name, appliedAt])
    },
    isLocked: (error) => codeOf(error) === LOCKED,
    async commit() {
      await client.query('commit')
    },
    async rollback() {
      await client.query('rollback').catch(() => {})
    },
  }
}

const RECORD = 'insert into schema_migrations (name, applied_at) values ($1, $2)'

/**
 * Begins a transaction that locks the row. Returns false if another replica has locked it. The statement itself does not wait, because a
 * waiting statement keeps a snapshot open, and a concurrent index build of the other replica waits for all snapshots.
 */
async function tryBegin(client: PoolClient): Promise<boolean> {
  await client.query('begin isolation level read committed')
  const { rows } = await client.query('select id from schema_migration_lock where id = 1 for update skip locked')
  if (rows.length === 0) await client.query('rollback')
  return rows.length > 0
}

async function runOnline(client: PoolClient, { sql, repeat }: OnlineStatement): Promise<void> {
  const index = indexOf(sql)
  // An interrupted index build leaves an invalid index, which `if not exists` would not replace.
  if (index !== null && (await isInvalid(client, index)))
    await runLongStatement(client, `drop index concurrently "${index}"`)
  for (;;) {
    const { rowCount } = await runLongStatement(client, sql)
    if (!repeat || !rowCount) return
  }
}

async function isInvalid(client: PoolClient, index: string): Promise<boolean> {
  const query = 'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid'
  return (await client.query(query, [`"${index}"`])).rows.length > 0
}

async function runLongStatement(client: PoolClient, text: string): Promise<QueryResult> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: QUERY_TIMEOUT_MS }
  return client.query(query)
}

/** Creates a table if it does not exist, even if another replica does so at the same time. */
export async function createOnce(client: PoolClient, createTable: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(createTable)
      return
    } catch (error) {
      if (!CREATED_MEANWHILE.has(codeOf(error) ?? '') || attempt === ATTEMPTS) throw error
    }
    await sleep(PAUSE_MS)
  }
}
