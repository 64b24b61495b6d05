import { sql } from 'kysely'
import type { DatabaseLoad } from '../database/database.ts'
import type { Db, ShopDatabase, Tables } from '../resources/tables.ts'
import type { SandboxLoad } from '../sandbox/api.ts'
import type { Gauge } from './metrics.ts'
import type { WriteHealth } from './write-health.ts'

/** Counting stops at this number, so that a scrape does not take longer when much work is waiting. */
const MOST_COUNTED = 10_000

const OLDEST = 'Age of the oldest due job, in seconds; 0 if none is due'
const OLDEST_DELIVERY = `Age of the oldest due webhook delivery, in seconds, among up to ${MOST_COUNTED}; 0 if none is due`
const JOBS = `Jobs by state, counted up to ${MOST_COUNTED}`
const DELIVERIES = `Webhook deliveries that are due or waiting for another attempt, counted up to ${MOST_COUNTED}`

export function loadGauges(database: DatabaseLoad, sandbox: SandboxLoad): Gauge[] {
  return [
    { name: 'programs_waiting', help: 'Programs waiting for an interpreter', value: sandbox.waiting },
    { name: 'programs_running', help: 'Programs running', value: sandbox.running },
    { name: 'interpreters', help: 'Interpreters, idle ones included', value: sandbox.interpreters },
    ...databaseGauges(database),
  ]
}

export function writeGauges({ failingMs }: Pick<WriteHealth, 'failingMs'>): Gauge[] {
  return [{ name: 'writes_failing_seconds', help: 'Time for which all writes have failed', value: failingMs / 1000 }]
}

function databaseGauges(load: DatabaseLoad): Gauge[] {
  if (load.engine === 'sqlite')
    return [{ name: 'writer_waiting', help: 'Turns waiting for the writer', value: load.waiting }]
  const help = 'Connections to PostgreSQL'
  return [
    { name: 'pool_waiting', help: 'Queries waiting for a connection', value: load.waiting },
    { name: 'pool_connections', help, value: load.busy, labels: { state: 'busy' } },
    { name: 'pool_connections', help, value: load.idle, labels: { state: 'idle' } },
  ]
}

/** Counts jobs and webhook deliveries by state, and reads the age of the oldest due ones, for all processes on this database. */
export async function backlog({ read }: Pick<ShopDatabase, 'read'>): Promise<Gauge[]> {
  const gauges: Gauge[] = [{ name: 'job_oldest_due_seconds', help: OLDEST, value: await oldestDue(read) }]
  for (const state of ['waiting', 'waiting_for_clock', 'due', 'working'])
    gauges.push({ name: 'jobs', help: JOBS, value: await count(read, 'jobs', 'state', state), labels: { state } })
  for (const queue of ['due', 'waiting']) {
    const value = await count(read, 'webhook_events', 'queue', queue)
    gauges.push({ name: 'webhook_deliveries', help: DELIVERIES, value, labels: { queue } })
  }
  const value = await oldestDelivery(read)
  gauges.push({ name: 'webhook_delivery_oldest_due_seconds', help: OLDEST_DELIVERY, value })
  return gauges
}

async function oldestDue(read: Db): Promise<number> {
  const due = read.selectFrom('jobs').select('run_at').where('state', '=', 'due').orderBy('run_at').limit(1)
  const oldest = await due.executeTakeFirst()
  return oldest ? secondsSince(Date.parse(oldest.run_at)) : 0
}

async function oldestDelivery(read: Db): Promise<number> {
  const due = read.selectFrom('webhook_events').select('due_ms').where('queue', '=', 'due').limit(MOST_COUNTED)
  const oldest = await read
    .selectFrom(due.as('due'))
    .select(({ fn }) => fn.min<number | null>('due_ms').as('ms'))
    .executeTakeFirstOrThrow()
  return oldest.ms === null ? 0 : secondsSince(oldest.ms)
}

function secondsSince(ms: number): number {
  return Math.max(0, (Date.now() - ms) / 1000)
}

async function count(read: Db, table: keyof Tables, column: string, value: string): Promise<number> {
  const found = sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${value} limit ${sql.lit(MOST_COUNTED)}`
  const { rows } = await sql<{ count: number }>`select count(*) as count from (${found}) as found`.execute(read)
  return rows[0]!.count
}
