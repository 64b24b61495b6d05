import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findServerPrograms } from '../test/support/postgres-server.mjs'

/** The tables to which an order writes, together with its receipt email and its log entry. */
const TABLES = [
  ...['checkouts', 'customers', 'search_entries', 'orders', 'order_items', 'payments', 'charges', 'access_grants'],
  ...['jobs', 'events', 'log_entries', 'emails', 'email_bodies'],
]
/** The columns of each table that must be unique, besides the id. */
const UNIQUE: Record<string, readonly string[]> = { customers: ['email'], products: ['slug'], tags: ['name_key'] }
const CLIENTS = 10

/** The performance of PostgreSQL alone, with which our server is compared. */
export interface Floor {
  perSecond: number
  /** The average duration of one transaction, with the measured number of clients. */
  averageMs: number
}

interface FloorOptions {
  directory: string
  seconds: number
  clients?: number
}

/**
 * Measures with `pgbench` how often per second PostgreSQL alone runs these statements in one transaction. They may use `:n`, a random
 * number. Returns null if `pgbench` is missing.
 */
export async function floorOf(
  url: string,
  { directory, seconds, clients = CLIENTS }: FloorOptions,
  make: (client: Client) => Promise<string[]>,
): Promise<Floor | null> {
  const programs = findServerPrograms()
  const pgbench = programs && join(programs, 'pgbench')
  if (!pgbench || !existsSync(pgbench)) return null
  const script = join(directory, 'floor.sql')
  writeFileSync(script, scriptOf(await withClient(url, make)))
  const options = [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-c',
    String(clients),
    '-j',
    '1',
    '-T',
    String(Math.ceil(seconds)),
  ]
  const { stdout, stderr } = spawnSync(pgbench, [...options, url], { encoding: 'utf8' })
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0)
  // A failed transaction ends its client, so the rate would be wrong.
  if (perSecond === 0 || /aborted/.test(stderr)) throw new Error(`pgbench: ${stderr}`)
  return { perSecond, averageMs: (clients * 1000) / perSecond }
}

export function shownFloor(floor: Floor | null): string {
  return floor === null
    ? 'pgbench is ABSENT, so it is SKIPPED'
    : `pgbench ${Math.round(floor.perSecond)}/s, ${floor.averageMs.toFixed(2)} ms each`
}

export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Measures with `pgbench` how often per second PostgreSQL alone stores the rows of an order. Returns null if `pgbench` is missing. */
export async function rowsOfOrders(
  url: string,
  options: { directory: string; seconds: number },
): Promise<number | null> {
  const stock = `update price_variants set quantity_available = quantity_available - 1, sold_count = sold_count + 1
    where (account_id, id) = (select account_id, price_variant from floor_order_items limit 1)`
  const floor = await floorOf(url, options, async (client) => [...(await storedAgain(client, TABLES, 'orders')), stock])
  return floor?.perSecond ?? null
}

/** Returns statements that store copies of the run's rows: as many rows of each table as there are for one row of `per`. */
export async function storedAgain(client: Client, tables: readonly string[], per: string): Promise<string[]> {
  const inserts: string[] = []
  for (const table of tables) inserts.push(await insertOf(client, table, per))
  return inserts
}

export function quoted(text: unknown): string {
  return `'${String(text).replaceAll("'", "''")}'`
}

function scriptOf(inner: string[]): string {
  const statements = ['begin', ...inner, 'commit'].map((one) => `${one.replaceAll(/\s+/g, ' ')};`)
  return ['\\set n random(1, 1000000000000000)', '\\startpipeline', ...statements, '\\endpipeline', ''].join('\n')
}

/** Copies the rows of a table that belong to one row of `per` on average. Returns the statement that stores these rows again. */
async function insertOf(client: Client, table: string, per: string): Promise<string> {
  const { rows: counted } = await client.query<{ each: string }>(
    `select round((select count(*) from ${table})::numeric / greatest(1, (select count(*) from ${per})))::int as each`,
  )
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => `"${name}"`)
  const newest = names.includes('"id"') ? 'order by id desc' : ''
  await client.query(`drop table if exists floor_${table}`)
  await client.query(`create table floor_${table} as select * from ${table} ${newest} limit ${counted[0]!.each}`)
  const isNew = (name: string) => name === 'id' || (UNIQUE[table] ?? []).includes(name)
  const values = rows.map(({ name }) => (isNew(name) ? `"${name}" || :n` : `"${name}"`))
  return `insert into ${table} (${names}) select ${values} from floor_${table}`
}
