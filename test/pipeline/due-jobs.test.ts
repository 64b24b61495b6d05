import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { newId } from '../../src/contract/values/ids.ts'
import type { JobRow } from '../../src/database/system-tables.ts'
import { JobCarrier } from '../../src/jobs/carry-out.ts'
import type { Context } from '../../src/records/context.ts'
import { engines } from '../database/engines.ts'
import { type Bell, bells, RINGS_TABLE, ring } from '../support/bells.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const PAST = '2026-01-01T00:00:00Z'
const FUTURE = '2126-01-01T00:00:00Z'

describe.each(engines)('A job that is one transaction, on $name', (engine) => {
  describe.skipIf(!engine.available)('has its effect once', { timeout: 60_000 }, () => {
    let shop: SmallShop
    beforeAll(async () => {
      shop = await openSmallShop(engine, [bells(() => {})], RINGS_TABLE)
    })
    afterAll(async () => {
      await shop.close()
      expect(shop.errors).toEqual([])
    })

    const newCaller = (): Caller => ({ kind: 'job', accountId: newId('acct'), jobId: 'job_x' })
    const within = <Result>(caller: Caller, work: (context: Context) => Promise<Result>) =>
      shop.pipeline.contexts.part(shop.database, caller, [], work)
    const enqueue = (caller: Caller, bell: Bell) =>
      within(caller, (context) => context.enqueue(ring, bell, { runAt: FUTURE }))
    const set = ({ accountId }: Caller, values: Partial<JobRow>) =>
      shop.database.transaction(({ db }) =>
        db.updateTable('jobs').set(values).where('account_id', '=', accountId).execute(),
      )
    const jobs = ({ accountId }: Caller) =>
      shop.database.read.selectFrom('jobs').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
    const dueJobs = async (caller: Caller) => (await jobs(caller)).filter(({ lane }) => lane === 'due')
    const rung = async ({ accountId }: Caller) =>
      (await shop.database.read.selectFrom('events').select('data').where('account_id', '=', accountId).execute())
        .map(({ data }) => JSON.parse(data).bell)
        .toSorted()
    const allDone = async (caller: Caller) => {
      while ((await dueJobs(caller)).some(({ state }) => state !== 'done')) await delay(20)
    }
    const carrier = () =>
      new JobCarrier({
        database: shop.database,
        contexts: shop.pipeline.contexts,
        clocks: shop.clocks,
        services: shop.services,
        types: bells(() => {}).jobs,
        log: { warn() {}, error: (details) => shop.errors.push(details) },
      })

    it('when four workers look for jobs at the same time', async () => {
      const caller = newCaller()
      const names = Array.from({ length: 200 }, (_, number) => `bell ${String(number).padStart(3, '0')}`)
      for (const bell of names) await enqueue(caller, { bell })
      await set(caller, { run_at: PAST })
      const others = Array.from({ length: 3 }, () => shop.anotherWorker())
      for (const other of others) other.start()
      await allDone(caller)
      await Promise.all(others.map((other) => other.stop()))
      expect(await rung(caller)).toEqual(names)
    })

    it('when two workers have the same attempt', async () => {
      const caller = newCaller()
      for (let round = 0; round < 20; round++) await enqueue(caller, { bell: `bell ${round}` })
      await set(caller, { state: 'working', attempts: 1, leased_until: FUTURE })
      const claimed = await dueJobs(caller)
      const [one, other] = [carrier(), carrier()]
      await Promise.all(claimed.flatMap((job) => [one.carryOut(job), other.carryOut(job)]))
      expect(await rung(caller)).toHaveLength(20)
      expect(new Set(await rung(caller)).size).toBe(20)
    })

    it('when its lease is over and another worker has it by now', async () => {
      const caller = newCaller()
      await enqueue(caller, { bell: 'late' })
      await set(caller, { state: 'working', attempts: 1, leased_until: FUTURE })
      const [first] = await dueJobs(caller)
      await set(caller, { attempts: 2 })
      await carrier().carryOut(first!)
      expect(await rung(caller)).toEqual([])
      const [second] = await dueJobs(caller)
      await carrier().carryOut(second!)
      expect(await rung(caller)).toEqual(['late'])
    })

    it('or none, when it is taken back before it is done', async () => {
      const caller = newCaller()
      const id = await enqueue(caller, { bell: 'never' })
      await set(caller, { state: 'working', attempts: 1, leased_until: FUTURE })
      const [claimed] = await dueJobs(caller)
      await within(caller, (context) => context.cancel(id))
      await carrier().carryOut(claimed!)
      expect(await rung(caller)).toEqual([])
      expect(await jobs(caller)).toEqual([])
    })

    it('and does nothing else when it fails', async () => {
      const caller = newCaller()
      await enqueue(caller, { bell: 'cracked' })
      await set(caller, { state: 'working', attempts: 1, leased_until: FUTURE })
      const [claimed] = await dueJobs(caller)
      await carrier().carryOut(claimed!)
      expect(await rung(caller)).toEqual([])
      expect(await jobs(caller)).toMatchObject([{ state: 'waiting', attempts: 1, last_error: 'It makes no sound' }])
      await within(caller, (context) => context.cancel(claimed!.id))
      expect(shop.errors.splice(0)).toHaveLength(1)
    })
  })
})
