import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { compileOnce } from '../src/database/compile-once.ts'
import type { Database } from '../src/database/database.ts'
import { openSqlite } from '../src/database/sqlite.ts'

const ROUNDS = 5
const CONNECTIONS = 32
const WRITES = 4_000
const READS = 40_000
const ROWS = 1_000

interface Tables {
  product: Record<'account_id' | 'id' | 'name' | 'description' | 'created_at', string> & Record<'price', number>
}

const TABLE = `create table product (
  account_id text not null, id text not null, name text not null, description text not null, price bigint not null,
  created_at text not null, primary key (account_id, id)
);`
const COLUMNS = ['account_id', 'id', 'name', 'description', 'price', 'created_at'] as const
const INSERT = `insert into product (${COLUMNS.join(', ')}) values (?, ?, ?, ?, ?, ?)`
const SELECT = 'select * from product where account_id = ? and id = ?'

const directory = await mkdtemp(join(tmpdir(), 'shopwright-bench-'))
const database = await openSqlite<Tables>({ directory, migrations: [{ name: '0001', sql: TABLE }] })
const raw = new DatabaseSync(join(directory, 'raw.db'))
raw.exec(`pragma journal_mode = wal; pragma synchronous = full; ${TABLE}`)
const insert = raw.prepare(INSERT)
const select = raw.prepare(SELECT)

let next = 0
const product = (id = `prod_${next++}`) => ({
  account_id: 'acct_1',
  id,
  name: 'Green tea',
  description: 'Loose leaves, first flush, 100 g in a tin.',
  price: 1_290,
  created_at: '2026-01-01T00:00:00.000Z',
})

await database.transaction(async ({ db }) => {
  for (let row = 0; row < ROWS; row++)
    await db
      .insertInto('product')
      .values(product(`p${row}`))
      .execute()
})
for (let row = 0; row < ROWS; row++) insertRaw(`p${row}`)

const compiled = compileOnce(byKey)
const figures = {
  'write, raw, a commit each': () => each(WRITES, async () => insertRaw()),
  'write, group commit, 32 at once': () => atOnce(CONNECTIONS, WRITES, write),
  'write, one at a time': () => each(WRITES / 4, write),
  'transaction without a statement, 32 at once': () =>
    atOnce(CONNECTIONS, WRITES, () => database.transaction(async () => {})),
  'read by key, raw': () => each(READS, async (index) => select.get('acct_1', `p${index % ROWS}`)),
  'read by key, Kysely': () => each(READS, (index) => byKey(database.read, `p${index % ROWS}`).executeTakeFirst()),
  'read by key, compiled once': () => each(READS, (index) => compiled(database.read, `p${index % ROWS}`)),
}

const medians = await measure(figures)
console.log(`medians of ${ROUNDS} rounds`)
for (const [name, micros] of Object.entries(medians)) {
  console.log(
    `${name.padEnd(46)} ${micros.toFixed(2).padStart(8)} µs ${Math.round(1e6 / micros)
      .toString()
      .padStart(8)} /s`,
  )
}
const ratio = (of: keyof typeof figures, to: keyof typeof figures) => (medians[to] / medians[of]).toFixed(2)
console.log(
  'writes: group commit / raw commits  ',
  ratio('write, group commit, 32 at once', 'write, raw, a commit each'),
)
console.log('reads: Kysely / raw                 ', ratio('read by key, Kysely', 'read by key, raw'))
console.log('reads: compiled once / raw          ', ratio('read by key, compiled once', 'read by key, raw'))

await database.close()
raw.close()
await rm(directory, { recursive: true })

function insertRaw(id?: string): void {
  const row = product(id)
  insert.run(...COLUMNS.map((column) => row[column]))
}

function write(): Promise<unknown> {
  return database.transaction(({ db }) => db.insertInto('product').values(product()).execute())
}

function byKey(db: Database<Tables>['read'], id: string) {
  return db.selectFrom('product').selectAll().where('account_id', '=', 'acct_1').where('id', '=', id)
}

async function each(count: number, work: (index: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) await work(index)
  return ((performance.now() - startedAt) * 1_000) / count
}

/** Simulates clients that send their next request after the last response. Returns the microseconds per request. */
async function atOnce(clients: number, count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  let left = count
  const client = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return ((performance.now() - startedAt) * 1_000) / count
}

/** Returns the median of several rounds for each measurement. The measurements alternate, so that a slow moment affects all of them. */
async function measure<Name extends string>(runs: Record<Name, () => Promise<number>>): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[]
  const taken = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) {
      const micros = await runs[name]()
      if (round >= 0) taken.get(name)!.push(micros)
    }
  }
  const median = (name: Name) => taken.get(name)!.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  return Object.fromEntries(names.map((name) => [name, median(name)])) as Record<Name, number>
}
