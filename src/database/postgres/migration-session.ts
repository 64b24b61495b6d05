import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient, QueryConfig } from 'pg'
import { type MigrationSession, sqlFor } from '../migrate.ts'
import { codeOf } from './errors.ts'

/** Two replicas that create the same table at once: PostgreSQL fails one of them in spite of IF NOT EXISTS. */
const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710', '40001'])
const ATTEMPTS = 20
const PAUSE_MS = 50
/** A migration may take as long as it needs, and so may that of another replica which it waits for. */
const QUERY_TIMEOUT_MS = 24 * 60 * 60 * 1000

/**
 * How migrations run on one connection. A row, locked in each transaction, keeps other replicas waiting: unlike a session
 * lock it also works through a connection pooler and on PostgreSQL-compatible databases.
 */
export function migrationSession(client: PoolClient): MigrationSession {
  return {
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
      await patient(client, 'select id from schema_migration_lock where id = 1 for update')
    },
    async applied() {
      const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
      return rows.map(({ name }) => name)
    },
    async apply(migration, appliedAt) {
      await patient(client, sqlFor(migration, 'postgres'))
      const record = 'insert into schema_migrations (name, applied_at) values ($1, $2)'
      await client.query(record, [migration.name, appliedAt])
    },
    async commit() {
      await client.query('commit')
    },
    async rollback() {
      await client.query('rollback').catch(() => {})
    },
  }
}

async function patient(client: PoolClient, text: string): Promise<void> {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: QUERY_TIMEOUT_MS }
  await client.query(query)
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
