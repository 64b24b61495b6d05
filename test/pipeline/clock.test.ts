import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClockBusyError, ClockError, stopAdvance } from '../../src/clock/advance.ts'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import type { JobRow } from '../../src/database/system-tables.ts'
import type { Context } from '../../src/records/context.ts'
import { engines } from '../database/engines.ts'
import { type Bell, bells, DAY_MS, type Heard, later, RINGS_TABLE, ring } from '../support/bells.ts'
import { times } from '../support/depth.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const YEARS = times({ gate: 1, deep: 3 })

describe.each(engines)('The clock of a test account on $name', (engine) => {
  describe.skipIf(!engine.available)('is moved forward', { timeout: 300_000 }, () => {
    let shop: SmallShop
    let heard: Heard[]
    beforeAll(async () => {
      heard = []
      shop = await openSmallShop(engine, [bells((one) => void heard.push(one))], RINGS_TABLE)
    })
    afterAll(async () => {
      await shop.close()
      expect(shop.errors).toEqual([])
    })

    const within = <Result>(caller: Caller, work: (context: Context) => Promise<Result>) =>
      shop.pipeline.contexts.part(shop.database, caller, [], work)
    const nowOf = (caller: Caller) => within(caller, async (context) => context.now)
    const enqueue = (caller: Caller, bell: Bell, runAt?: string) =>
      within(caller, (context) => context.enqueue(ring, bell, runAt === undefined ? {} : { runAt }))
    const advance = ({ accountId }: Caller, to: string) => shop.worker.advanceClock(accountId, to)
    const daysAfter = (moment: string, count: number) =>
      Array.from({ length: count }, (_, index) => later(moment, (index + 1) * DAY_MS))

    /** The bells that rang and the moments that their events name, in the order in which they rang. */
    async function rung({ accountId }: Caller): Promise<[bell: string, at: string][]> {
      const events = shop.database.read.selectFrom('events').selectAll().where('account_id', '=', accountId)
      return (await events.orderBy('id').execute()).map(({ data, created_at }) => [JSON.parse(data).bell, created_at])
    }
    const heardOf = ({ accountId }: Caller) =>
      heard.filter((one) => one.accountId === accountId).map(({ bell, at }) => [bell, at])
    const jobOf = ({ accountId }: Caller, id: string): Promise<JobRow | undefined> =>
      shop.database.read
        .selectFrom('jobs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()

    it('until somebody asks it to stop, and then goes on from the moment reached', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      for (let bell = 0; bell < 50; bell++)
        await enqueue(caller, { bell: `daily ${bell}`, every: 1 }, later(start, DAY_MS))
      const to = later(start, 3_000 * DAY_MS)
      const advancing = advance(caller, to)
      while ((await rung(caller)).length === 0) await delay(5)
      await stopAdvance(shop.database, caller.accountId)
      const reached = await advancing
      expect(reached.jobs).toBeGreaterThan(0)
      expect(reached.to < to).toBe(true)
      expect((await nowOf(caller)).slice(0, 10)).toBe(reached.to.slice(0, 10))
      const next = later(await nowOf(caller), DAY_MS / 24)
      expect(await advance(caller, next)).toMatchObject({ to: next })
    })

    it('so that everything happens in its order, at its own moment', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const [first, second, third] = daysAfter(start, 3) as [string, string, string]
      await enqueue(caller, { bell: 'third' }, third)
      await enqueue(caller, { bell: 'daily', every: 1 }, first)
      await enqueue(caller, { bell: 'second' }, second)
      const to = later(third, DAY_MS / 2)
      expect(await advance(caller, to)).toMatchObject({ to, jobs: 5 })
      const inOrder = [
        ['daily', first],
        ['second', second],
        ['daily', second],
        ['third', third],
        ['daily', third],
      ]
      expect(await rung(caller)).toEqual(inOrder)
      expect(heardOf(caller)).toEqual(inOrder)
    })

    it('and goes on from there as time does', async () => {
      const caller = await shop.testAccount()
      const to = later(await nowOf(caller), 400 * DAY_MS)
      await advance(caller, to)
      const soon = later(to, 3_000)
      await enqueue(caller, { bell: 'soon' }, soon)
      while ((await rung(caller)).length === 0) await delay(20)
      expect((await rung(caller))[0]![1] >= soon).toBe(true)
    })

    it(`past each day of ${YEARS} years`, async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const days = daysAfter(start, YEARS * 365)
      await enqueue(caller, { bell: 'daily', every: 1 }, days[0])
      await advance(caller, days.at(-1)!)
      expect((await rung(caller)).map(([, at]) => at)).toEqual(days)
      expect(heardOf(caller).map(([, at]) => at)).toEqual(days)
    })

    it('past what fails, which is tried again in its own time', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const [first, second] = daysAfter(start, 2) as [string, string]
      const cracked = await enqueue(caller, { bell: 'cracked' }, first)
      await enqueue(caller, { bell: 'unheard' }, first)
      await enqueue(caller, { bell: 'whole' }, later(first, 3_000))
      await advance(caller, second)
      expect(await rung(caller)).toEqual([
        ['unheard', first],
        ['whole', later(first, 3_000)],
      ])
      expect(await jobOf(caller, cracked)).toMatchObject({ state: 'failed', attempts: 3 })
      expect(heardOf(caller)).toEqual([['whole', later(first, 3_000)]])
      const messages = shop.errors.splice(0).map((entry) => String((entry as { err: unknown }).err))
      expect(messages.filter((text) => text.includes('It makes no sound'))).toHaveLength(3)
      expect(messages.filter((text) => text.includes('Nobody listens'))).toHaveLength(1)
      // Its second attempt comes in real time.
      while (shop.errors.length === 0) await delay(20)
      shop.errors.length = 0
    })

    it('by one at a time, and never back', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const [first, second] = [later(start, 100 * DAY_MS), later(start, 200 * DAY_MS)]
      await enqueue(caller, { bell: 'daily', every: 1 }, later(start, DAY_MS))
      const both = await Promise.allSettled([advance(caller, first), advance(caller, first)])
      const refused = both.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
      expect(refused).toEqual([expect.any(ClockBusyError)])
      expect(await rung(caller)).toHaveLength(100)
      await expect(advance(caller, start)).rejects.toThrow('The clock only moves forward')
      await expect(advance(caller, later(first, 11 * 366 * DAY_MS))).rejects.toThrow('at most 10 years')
      await advance(caller, second)
      expect(await rung(caller)).toHaveLength(200)
    })

    it('which others see move', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const to = later(start, 50 * DAY_MS)
      await enqueue(caller, { bell: 'daily', every: 1 }, later(start, DAY_MS))
      let ended = false
      const advanced = advance(caller, to).finally(() => {
        ended = true
      })
      const seen: string[] = []
      while (!ended) seen.push(await nowOf(caller))
      await advanced
      seen.push(await nowOf(caller))
      expect(seen).toEqual(seen.toSorted())
      expect(seen.length).toBeGreaterThan(2)
    })

    it('while live accounts keep the time of the system', async () => {
      const live: Caller = { kind: 'session', sessionId: 's', userId: 'u', role: 'owner', accountId: shop.accountId }
      const caller = await shop.testAccount()
      const id = await enqueue(live, { bell: 'live' }, later(await nowOf(live), DAY_MS))
      await advance(caller, later(await nowOf(caller), 30 * DAY_MS))
      expect(await jobOf(live, id)).toMatchObject({ state: 'waiting', attempts: 0 })
      const { now, realNow, test } = await within(live, async (context) => context)
      expect({ same: now === realNow, test }).toEqual({ same: true, test: false })
      await expect(advance(live, later(now, DAY_MS))).rejects.toThrow(ClockError)
    })

    it('past what was taken back', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const id = await enqueue(caller, { bell: 'never' }, later(start, DAY_MS))
      const cancel = () => within(caller, (context) => context.cancel(id))
      await cancel()
      await cancel()
      await advance(caller, later(start, 2 * DAY_MS))
      expect(await rung(caller)).toEqual([])
    })
  })
})
