import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/database/database.ts'
import { openSqlite } from '../src/database/sqlite.ts'
import { percentile, printTable } from './measure.ts'

/** Measures how long writers wait while the write-ahead log is copied into the embedded database, with and without open snapshots. */
const ROUND_MS = Number(process.env.ROUND_MS ?? 15_000)
const ROW_BYTES = 40_000
const WRITERS = 8
const TARGET_MS = 50

interface Tables {
  note: { id: string; body: string }
}

const sql = 'create table note (id text not null primary key, body text not null);'

for (const [pace, pauseMs] of [
  ['a busy shop', 20],
  ['as fast as it goes', 0],
] as const)
  for (const snapshots of [false, true]) await measure(pace, pauseMs, snapshots)

async function measure(pace: string, pauseMs: number, snapshots: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'shopwright-bench-'))
  const database = await openSqlite<Tables>({ directory, migrations: [{ name: '0001', sql }] })
  const end = performance.now() + ROUND_MS
  const writes: number[] = []
  const stops: number[] = []
  let largest = 0
  const watch = async () => {
    for (let before = performance.now(); before < end; ) {
      await delay(1)
      const now = performance.now()
      stops.push(now - before - 1)
      before = now
    }
  }
  const size = async () => {
    for (; performance.now() < end; await delay(50))
      largest = Math.max(largest, (await stat(join(directory, 'shopwright.db-wal'))).size)
  }
  const writing = Array.from({ length: WRITERS }, (_, writer) => writeUntil(database, { writer, end, pauseMs, writes }))
  await Promise.all([watch(), size(), ...writing, ...(snapshots ? [overlap(database, end)] : [])])
  await database.close()
  await rm(directory, { recursive: true, force: true })
  printTable(`${pace}, ${snapshots ? 'snapshots that overlap' : 'no snapshots'}`, [
    { name: 'written', value: (writes.length * ROW_BYTES) / 1e6 / (ROUND_MS / 1000), unit: 'MB/s' },
    { name: 'longest stop of the process', value: Math.max(...stops), unit: 'ms', note: `target ${TARGET_MS}` },
    { name: 'write, median', value: percentile(writes, 0.5), unit: 'ms' },
    { name: 'write, p99', value: percentile(writes, 0.99), unit: 'ms' },
    { name: 'write, longest', value: Math.max(...writes), unit: 'ms' },
    { name: 'largest log', value: largest / 2 ** 20, unit: 'MiB' },
  ])
}

async function writeUntil(
  database: Database<Tables>,
  { writer, end, pauseMs, writes }: { writer: number; end: number; pauseMs: number; writes: number[] },
): Promise<void> {
  for (let number = 0; performance.now() < end; number++) {
    const body = `${number} `.padEnd(ROW_BYTES, 'x')
    const began = performance.now()
    await database.transaction(({ db }) =>
      db
        .insertInto('note')
        .values({ id: `${writer}-${(number * 7919) % 20_000}`, body })
        .onConflict((known) => known.column('id').doUpdateSet({ body }))
        .execute(),
    )
    writes.push(performance.now() - began)
    await delay(pauseMs)
  }
}

/** Opens snapshots until `end`, each before the previous one has ended. */
async function overlap(database: Database<Tables>, end: number): Promise<void> {
  const read = async () => {
    const program = database.program({ account: 'a' })
    await program.read.selectFrom('note').select('id').limit(1).execute()
    return program
  }
  let previous = await read()
  while (performance.now() < end) {
    const next = read()
    await delay(20)
    await previous.rollback()
    previous = await next
  }
  await previous.rollback()
}
