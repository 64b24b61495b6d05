import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/caller.ts'
import { text } from '../../src/contract/kinds.ts'
import { noun } from '../../src/contract/noun.ts'
import { currentTimestamp, timestampOf } from '../../src/contract/values.ts'
import type { Context } from '../../src/records/context.ts'
import { dueJob, job } from '../../src/records/job.ts'
import { insertRow } from '../../src/records/records.ts'
import { resource } from '../../src/records/resource.ts'
import { verbs } from '../../src/records/verbs.ts'
import { engines } from '../database/engines.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const Ring = noun('ring', {
  prefix: 'ring',
  group: 'Rings',
  description: 'One sound of a bell.',
  events: ['created'],
  immutable: true,
  fields: { bell: text('Which bell') },
})

interface Bell {
  bell: string
  /** Days until it rings again; never again when absent. */
  every?: number
}

/** What the people outside heard, by the clock of the account. */
const heard: { accountId: string; bell: string; at: string }[] = []

const later = (moment: string, ms: number) => timestampOf(new Date(Date.parse(moment) + ms))

const tell = job<{ bell: string; at: string }>('tell', {
  attempts: 2,
  async work({ accountId }, { bell, at }) {
    if (bell === 'broken telephone') throw new Error('Nobody answers')
    heard.push({ accountId, bell, at })
  },
})

const ring = dueJob<Bell>('ring', {
  emits: ['ring.created'],
  attempts: 3,
  async work(context, payload) {
    const { bell, every } = payload
    if (bell === 'cracked') throw new Error('It makes no sound')
    context.emit(Ring, 'created', await insertRow(context, Ring, { bell }))
    await context.enqueue(tell, { bell, at: context.now })
    if (every) await context.enqueue(ring, payload, { runAt: later(context.now, every * DAY_MS) })
  },
})

const { create, list } = verbs(Ring)
const rings = resource(Ring, {
  jobs: [ring, tell],
  operations: [
    create({
      summary: 'Ring a bell',
      emits: ['ring.created'],
      rule: (context, input) => insertRow(context, Ring, input),
    }),
    list({ summary: 'List rings' }),
  ],
})

const TABLE = `create table rings (
  account_id text not null, id text not null, bell text, created_at text not null, primary key (account_id, id)
)`

describe.each(engines)('The clock of a test account on $name', (engine) => {
  describe.skipIf(!engine.available)('is moved forward', { timeout: 60_000 }, () => {
    let shop: SmallShop
    beforeAll(async () => {
      shop = await openSmallShop(engine, [rings], TABLE)
    })
    afterAll(async () => {
      await shop.close()
      expect(shop.errors).toEqual([])
    })

    const within = <Result>(caller: Caller, work: (context: Context) => Promise<Result>) =>
      shop.pipeline.applier.part(shop.database, caller, [], work)
    const nowOf = (caller: Caller) => within(caller, async (context) => context.now)
    const rung = ({ accountId }: Caller) =>
      shop.database.read
        .selectFrom('events')
        .select(['created_at', 'data'])
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute()
        .then((events) => events.map(({ created_at, data }) => [JSON.parse(data).bell, created_at]))
    const jobsOf = ({ accountId }: Caller) =>
      shop.database.read.selectFrom('jobs').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
    const advance = ({ accountId }: Caller, to: string) => shop.worker.advanceClock(accountId, to)

    it('so that everything falls due in its order and at its own moment', async () => {
      const caller = await shop.testAccount()
      const start = await nowOf(caller)
      const [first, second, third] = [1, 2, 3].map((days) => later(start, days * DAY_MS)) as [string, string, string]
      await within(caller, async (context) => {
        await context.enqueue(ring, { bell: 'third' }, { runAt: third })
        await context.enqueue(ring, { bell: 'first', every: 1 }, { runAt: first })
        await context.enqueue(ring, { bell: 'second' }, { runAt: second })
      })
      const to = later(start, 3.5 * DAY_MS)
      expect(await advance(caller, to)).toMatchObject({ to, jobs: 5 })
      expect(await rung(caller)).toEqual([
        ['first', first],
        ['second', second],
        ['first', second],
        ['third', third],
        ['first', third],
      ])
      expect(heard.filter(({ accountId }) => accountId === caller.accountId).map(({ bell, at }) => [bell, at])).toEqual(
        await rung(caller),
      )
      const now = await nowOf(caller)
      expect(now >= to && now < later(to, 60_000)).toBe(true)
    })
  })
})
