import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { type MigrationSession, sqlFor } from '../migrate.ts'
import { indexOf, type OnlineStatement } from '../online-migration.ts'
import { codeOf } from './errors.ts'
import { connect } from './pool.ts'

/** Two replicas that create the same table at once: PostgreSQL fails one of them in spite of IF NOT EXISTS. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710', '40001'])
/** What a statement waits for a lock: everything else that wants the table waits behind it. */
const LOCK_TIMEOUT = '500ms'
/** Of an online statement, which waits for the transactions of others but keeps nobody waiting. Processes of version 0.2.0 wait for it with a snapshot. */
const ONLINE_LOCK_TIMEOUT = '60s'
/** How often whoever waits for the migrations of another replica looks. */
const TURN_PAUSE_MS = 100
/** `lock_not_available`. */
const LOCKED = '55P03'
const ATTEMPTS = 20
const PAUSE_MS = 50
/** A migration may take as long as it needs. */
const QUERY_TIMEOUT_MS = 24 * 60 * 60 * 1000

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
      while (!(await isBegun(client))) await sleep(TURN_PAUSE_MS)
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    },
    async applied() {
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
      return rows.map(({ name }) => name)
    },
    async apply(migration, appliedAt) {
      await patient(client, sqlFor(migration, 'postgres'))
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
 * Begins a transaction that holds the row, unless another has it. Whoever would wait in the statement would have a snapshot, and
 * the index that the other one builds meanwhile waits for all snapshots.
 */
async function isBegun(client: PoolClient): Promise<boolean> {
  await client.query('begin isolation level read committed')
  const { rows } = await client.query('select id from schema_migration_lock where id = 1 for update skip locked')
  if (rows.length === 0) await client.query('rollback')
  return rows.length > 0
}

/** One statement in a transaction of its own; one that is repeated, as often as it changes something. */
async function runOnline(client: PoolClient, { sql, repeat }: OnlineStatement): Promise<void> {
  const index = indexOf(sql)
  // A build that was cut off leaves an index that nobody can use, and that `if not exists` would keep.
  if (index !== null && (await isInvalid(client, index))) await patient(client, `drop index concurrently "${index}"`)
  for (;;) {
    const { rowCount } = await patient(client, sql)
    if (!repeat || !rowCount) return
  }
}

async function isInvalid(client: PoolClient, index: string): Promise<boolean> {
  const query = 'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid'
  return (await client.query(query, [`"${index}"`])).rows.length > 0
}

/** Runs a statement that may take long. */
async function patient(client: PoolClient, text: string): Promise<QueryResult> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: QUERY_TIMEOUT_MS }
  return client.query(query)
}

/** Creates a table unless it is there, also where another replica does so at the same time. */
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
