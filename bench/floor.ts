import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findServerPrograms } from '../test/support/postgres-server.mjs'

/** What an order, its receipt and its log write rows into. */
const TABLES = [
  ...['checkouts', 'customers', 'search_entries', 'orders', 'order_items', 'payments', 'charges', 'access_grants'],
  ...['jobs', 'events', 'log_entries', 'emails', 'email_bodies'],
]
/** Columns that are unique besides the id. */
const UNIQUE: Record<string, string> = { customers: 'email' }
const CLIENTS = 10

/**
 * How many times a second PostgreSQL by itself stores the rows of an order: those that the run has just made, with their indexes, as
 * `pgbench` stores them anew, all in one transaction that travels in one piece and takes the stock of the same price. Null without `pgbench`.
 */
export async function rowsOfOrders(
  url: string,
  { directory, seconds }: { directory: string; seconds: number },
): Promise<number | null> {
  const programs = findServerPrograms()
  const pgbench = programs && join(programs, 'pgbench')
  if (!pgbench || !existsSync(pgbench)) return null
  const client = new Client({ connectionString: url })
  await client.connect()
  const inserts: string[] = []
  try {
    for (const table of TABLES) inserts.push(await insertOf(client, table))
  } finally {
    await client.end()
  }
  const script = join(directory, 'floor.sql')
  writeFileSync(script, scriptOf(inserts))
  const options = ['-n', '-M', 'prepared', '-f', script, '-c', String(CLIENTS), '-j', '1', '-T', String(seconds)]
  const { stdout, stderr } = spawnSync(pgbench, [...options, url], { encoding: 'utf8' })
  const perSecond = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (perSecond === undefined) throw new Error(`pgbench: ${stderr}`)
  return Number(perSecond)
}

function scriptOf(inserts: string[]): string {
  const stock = `update price_variants set quantity_available = quantity_available - 1, sold_count = sold_count + 1
    where (account_id, id) = (select account_id, price_variant from floor_order_items limit 1)`
  const statements = ['begin', ...inserts, stock, 'commit'].map((one) => `${one.replaceAll(/\s+/g, ' ')};`)
  return ['\\set n random(1, 1000000000000000)', '\\startpipeline', ...statements, '\\endpipeline', ''].join('\n')
}

/** Keeps as many rows of a table as an order has, and says how they are stored again. */
async function insertOf(client: Client, table: string): Promise<string> {
  const { rows: counted } = await client.query<{ each: string }>(
    `select round((select count(*) from ${table})::numeric / greatest(1, (select count(*) from orders)))::int as each`,
  )
  await client.query(`create table floor_${table} as select * from ${table} order by id desc limit ${counted[0]!.each}`)
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  )
  const names = rows.map(({ name }) => `"${name}"`)
  const values = rows.map(({ name }) => (name === 'id' || name === UNIQUE[table] ? `"${name}" || :n` : `"${name}"`))
  return `insert into ${table} (${names}) select ${values} from floor_${table}`
}
