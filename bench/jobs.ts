import { setTimeout as delay } from 'node:timers/promises'
import type { JobCaller } from '../src/contract/declarations/caller.ts'
import { newId } from '../src/contract/values/ids.ts'
import { insertOne } from '../src/database/compile-once.ts'
import type { JobRow } from '../src/database/system-tables.ts'
import type { Context } from '../src/records/context.ts'
import { dueJob, job } from '../src/records/job.ts'
import { type AnyTables, anyTable } from '../src/records/records.ts'
import { engines, type TestEngine } from '../test/database/engines.ts'
import { bells, RINGS_TABLE } from '../test/support/bells.ts'
import { openSmallShop, type SmallShop } from '../test/support/small-shop.ts'

/** Measures the jobs per second of one process. The floor is the same writes without jobs, with the same concurrency. */
const ROUNDS = 5
const JOBS = 2_000
const AT_ONCE = 8

const writeRow = (context: Context) =>
  insertOne<AnyTables>(anyTable(context), 'rings', {
    account_id: context.accountId,
    id: newId('ring'),
    bell: 'big',
    created_at: context.now,
  })
const writing = dueJob('bench.writing', { work: writeRow })
const nothing = job('bench.nothing', { work: async () => {} })

const PAST = '2026-01-01T00:00:00Z'

for (const engine of engines) {
  if (engine.available) await measure(engine)
  else console.log(`\n${engine.name}: ABSENT, so it is SKIPPED. Set TEST_DATABASE_URL.`)
}

async function measure(engine: TestEngine): Promise<void> {
  const shop = await openSmallShop(engine, [{ ...bells(() => {}), jobs: [writing, nothing] }], RINGS_TABLE)
  const figures = {
    'floor: the same effects without jobs': () => timed(() => effects(shop)),
    'one transaction each, one account': () => jobs(shop, 'due', 1),
    'one transaction each, 100 accounts': () => jobs(shop, 'due', 100),
    'nothing outside, one account': () => jobs(shop, 'outside', 1),
    'nothing outside, 100 accounts': () => jobs(shop, 'outside', 100),
  }
  const taken = new Map<string, number[]>(Object.keys(figures).map((name) => [name, []]))
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, run] of Object.entries(figures)) {
      const ms = await run()
      if (round >= 0) taken.get(name)!.push(ms)
    }
  await shop.close()
  console.log(`\n${engine.name}, medians of ${ROUNDS} rounds of ${JOBS}`)
  const median = (name: string) => taken.get(name)!.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
  const [floor] = Object.keys(figures)
  for (const name of Object.keys(figures)) {
    const perSecond = Math.round((JOBS / median(name)) * 1000)
    console.log(
      `${name.padEnd(40)} ${String(perSecond).padStart(7)} /s  ${(median(floor!) / median(name)).toFixed(2)} of the floor`,
    )
  }
}

async function effects({ pipeline, database }: SmallShop): Promise<void> {
  const caller: JobCaller = { kind: 'job', accountId: newId('acct'), jobId: 'job_x' }
  let left = JOBS
  const work = async () => {
    while (left-- > 0) await pipeline.contexts.part(database, caller, [], writeRow, { inTurn: true })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Measures the time from when the jobs become due until the last one is done. */
async function jobs({ database, board }: SmallShop, lane: JobRow['lane'], accounts: number): Promise<number> {
  await database.transaction(({ db }) => db.deleteFrom('jobs').execute())
  const ids = Array.from({ length: accounts }, () => newId('acct'))
  const rows = Array.from(
    { length: JOBS },
    (_, index): JobRow => ({
      account_id: ids[index % accounts]!,
      id: newId('job'),
      name: lane === 'due' ? writing.name : nothing.name,
      lane,
      payload: '{"bell":"big"}',
      state: 'due',
      attempts: 0,
      run_at: PAST,
      leased_until: null,
      last_error: null,
      created_at: PAST,
      finished_at: null,
      origin: null,
    }),
  )
  await database.transaction(async ({ db }) => {
    while (rows.length > 0) await db.insertInto('jobs').values(rows.splice(0, 500)).execute()
  })
  return timed(async () => {
    board.wake()
    const left = database.read.selectFrom('jobs').select('id').where('state', 'in', ['due', 'working']).limit(1)
    while (await left.executeTakeFirst()) await delay(5)
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
