import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Database } from '../../src/database/database.ts'
import type { Migration } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'

export interface TestEngine {
  name: 'sqlite' | 'postgres'
  /** Whether the engine is installed: use it with `describe.skipIf`, so that skipped suites are reported. */
  available: boolean
  /** Opens a fresh, empty database; its `close` also removes it. */
  open<Tables>(migrations: Migration[]): Promise<Database<Tables>>
}

/** URL of a PostgreSQL server where tests may create databases; its user must be allowed to. */
export const testServerUrl = process.env.TEST_DATABASE_URL

/** Every engine the product runs on, for suites that loop over them. */
export const engines: TestEngine[] = [
  { name: 'sqlite', available: true, open: openFreshSqlite },
  { name: 'postgres', available: Boolean(testServerUrl), open: openFreshPostgres },
]

/** Creates an empty directory; `remove` deletes it with its content. */
export async function freshDirectory(): Promise<{ directory: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'shopwright-'))
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}

/** Creates a database on the test server from a template; `remove` drops it and closes all connections to it. */
export async function freshPostgresUrl(template = 'template0'): Promise<{ url: string; remove: () => Promise<void> }> {
  // A benchmark may have started the server meanwhile.
  const serverUrl = process.env.TEST_DATABASE_URL
  if (!serverUrl) throw new Error('Set TEST_DATABASE_URL to the URL of a PostgreSQL server for tests.')
  const name = `shopwright_test_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name} template ${template} lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function openFreshSqlite<Tables>(migrations: Migration[]): Promise<Database<Tables>> {
  const { directory, remove } = await freshDirectory()
  return removedOnClose(await openSqlite<Tables>({ directory, migrations }), remove)
}

async function openFreshPostgres<Tables>(migrations: Migration[]): Promise<Database<Tables>> {
  const { url, remove } = await freshPostgresUrl()
  return removedOnClose(await openPostgres<Tables>({ url, migrations }), remove)
}

function removedOnClose<Tables>(database: Database<Tables>, remove: () => Promise<void>): Database<Tables> {
  const close = database.close.bind(database)
  database.close = async () => {
    await close()
    await remove()
  }
  return database
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
