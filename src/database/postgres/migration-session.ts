import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { type MigrationSession, sqlFor } from '../migrate.ts'
import { indexOf, type OnlineStatement } from '../online-migration.ts'

/** Two replicas that create the same table at once: PostgreSQL fails one of them in spite of IF NOT EXISTS. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710', '40001'])
/** What a statement waits for a lock: everything else that wants the table waits behind it. */
const LOCK_TIMEOUT = '500ms'
/** `lock_not_available`. */
const LOCKED = '55P03'
const ATTEMPTS = 20
const PAUSE_MS = 50

/**
 * How migrations run on one connection. A row, locked in each transaction, keeps other replicas waiting: unlike a session
 * lock it also works through a connection pooler and on PostgreSQL-compatible databases. Online statements go by another
 * connection of the pool, while this one holds the row.
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
      await client.query('begin isolation level read committed')
      await client.query('select id from schema_migration_lock where id = 1 for update')
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    },
    async applied() {
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
      return rows.map(({ name }) => name)
    },
    async apply(migration, appliedAt) {
      await client.query(sqlFor(migration, 'postgres'))
      await client.query(RECORD, [migration.name, appliedAt])
    },
    async applyOnline(statements, migration, appliedAt) {
      const other = await pool.connect()
      try {
        for (const statement of statements) await runOnline(other, statement)
      } finally {
        other.release()
      }
      await client.query(RECORD, [migration.name, appliedAt])
    },
    isLocked: (error) => error instanceof Error && 'code' in error && error.code === LOCKED,
    async commit() {
      await client.query('commit')
    },
    async rollback() {
      await client.query('rollback').catch(() => {})
    },
  }
}

const RECORD = 'insert into schema_migrations (name, applied_at) values ($1, $2)'

/** One statement in a transaction of its own; one that is repeated, as often as it changes something. */
async function runOnline(client: PoolClient, { sql, repeat }: OnlineStatement): Promise<void> {
  const index = indexOf(sql)
  // A build that was cut off leaves an index that nobody can use, and that `if not exists` would keep.
  if (index !== null && (await isInvalid(client, index))) await client.query(`drop index concurrently "${index}"`)
  for (;;) {
    const { rowCount } = await client.query(sql)
    if (!repeat || !rowCount) return
  }
}

async function isInvalid(client: PoolClient, index: string): Promise<boolean> {
  const query = 'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid'
  return (await client.query(query, [`"${index}"`])).rows.length > 0
}

async function createOnce(client: PoolClient, createTable: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(createTable)
      return
    } catch (error) {
      if (!CREATED_MEANWHILE.has((error as { code: string }).code) || attempt === ATTEMPTS) throw error
    }
    await sleep(PAUSE_MS)
  }
}
