import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/database/postgres.ts'
import { openSqlite } from '../../src/database/sqlite.ts'
import { createAccount } from '../../src/resources/company/account/life/open.ts'
import { engines, freshDirectory, freshPostgresUrl, type TestEngine } from '../database/engines.ts'
import { bells, DAY_MS, later, RINGS_TABLE, ring } from '../support/bells.ts'
import { some } from '../support/depth.ts'
import { openSmallShop } from '../support/small-shop.ts'

const CHILD = fileURLToPath(new URL('./clock-child.ts', import.meta.url))
const DAYS = 400
/** How many bells another process has heard when it is killed, in each round. */
const KILLED_AFTER = some([3, 20, 50], 2)

/** An engine whose database outlives each that opens it. */
async function lasting({ name }: TestEngine): Promise<TestEngine & { place: string; remove(): Promise<void> }> {
  const { place, remove } = name === 'postgres' ? await postgresPlace() : await directoryPlace()
  return {
    name,
    available: true,
    place,
    remove,
    open: (migrations) =>
      name === 'postgres' ? openPostgres({ url: place, migrations }) : openSqlite({ directory: place, migrations }),
  }
}

async function postgresPlace() {
  const { url, remove } = await freshPostgresUrl()
  return { place: url, remove }
}

async function directoryPlace() {
  const { directory, remove } = await freshDirectory()
  return { place: directory, remove }
}

/** Moves the clock in another process, which is killed when it has heard so many bells. */
async function advanceUntilKilled(args: string[], bellsHeard: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.split('\n').length > bellsHeard) child.kill('SIGKILL')
  })
  await ended
  expect(child.signalCode).toBe('SIGKILL')
}

describe.each(engines)('A clock whose mover is killed on $name', (engine) => {
  it.skipIf(!engine.available)(
    'stands where it was, and goes on without a gap or a repetition',
    { timeout: 120_000 },
    async () => {
      const place = await lasting(engine)
      const open = () => openSmallShop(place, [bells(() => {})], RINGS_TABLE)
      let shop = await open()
      const owner = { name: 'Owner', email: 'owner@example.com' }
      const { accountId } = await createAccount(shop.database, { name: 'R', subdomain: 'rrr', owner, test: true })
      const { moment: start } = await shop.database.read
        .selectFrom('account_clocks')
        .select('moment')
        .executeTakeFirstOrThrow()
      const days = Array.from({ length: DAYS }, (_, index) => later(start, (index + 1) * DAY_MS))
      await shop.pipeline.contexts.part(shop.database, { kind: 'job', accountId, jobId: 'job_x' }, [], (context) =>
        context.enqueue(ring, { bell: 'daily', every: 1 }, { runAt: days[0]! }),
      )
      await shop.close()
      for (const count of KILLED_AFTER) {
        await advanceUntilKilled([engine.name, place.place, accountId, days.at(-1)!], count)
        shop = await open()
        const rung = await ringsOf(shop)
        const [clock] = await shop.database.read.selectFrom('account_clocks').selectAll().execute()
        expect(rung).toEqual(days.slice(0, rung.length))
        expect(clock).toMatchObject({ moment: rung.at(-1), target: days.at(-1) })
        // Otherwise the next would wait until the one that was killed counts as lost.
        await shop.database.transaction(({ db }) =>
          db.updateTable('account_clocks').set({ leased_until: '2026-01-01T00:00:00Z' }).execute(),
        )
        await shop.database.transaction(({ db }) =>
          db.updateTable('jobs').set({ leased_until: '2026-01-01T00:00:00Z' }).where('state', '=', 'working').execute(),
        )
        await shop.close()
      }
      shop = await open()
      await shop.worker.advanceClock(accountId, days.at(-1)!)
      expect(await ringsOf(shop)).toEqual(days)
      await shop.close()
      await place.remove()
    },
  )
})

async function ringsOf({ database }: Awaited<ReturnType<typeof openSmallShop>>): Promise<string[]> {
  const events = await database.read.selectFrom('events').select('created_at').orderBy('id').execute()
  return events.map(({ created_at }) => created_at)
}
