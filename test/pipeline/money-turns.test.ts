import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/contract/declarations/caller.ts'
import { ApiError } from '../../src/contract/declarations/errors.ts'
import { integer, text } from '../../src/contract/declarations/kinds.ts'
import { noun, type Row } from '../../src/contract/declarations/noun.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import type { Context } from '../../src/records/context.ts'
import { job } from '../../src/records/job.ts'
import { changeRow, insertRow, requireRow } from '../../src/records/records.ts'
import { resource } from '../../src/records/resource.ts'
import { verbs } from '../../src/records/verbs.ts'
import { engines, freshPostgresUrl, type TestEngine, testServerUrl } from '../database/engines.ts'
import { openSmallShop, type SmallShop } from '../support/small-shop.ts'

const REQUESTS = 64

const Purse = noun('purse', {
  prefix: 'purse',
  group: 'Purses',
  description: 'Coins that are taken one by one.',
  events: ['updated'],
  fields: { owner: text('Whose it is').required(), coins: integer('Left to take').required() },
})

let runs = 0

/** Reads what is left, checks it and changes it, as a refund does with an order. */
async function takeCoin(context: Context, purse: Row<typeof Purse>): Promise<Row<typeof Purse>> {
  runs += 1
  if (purse.coins === 0) throw new ApiError('invalid_state', 'The purse is empty.')
  const changed = await changeRow(context, Purse, purse, { coins: purse.coins - 1 })
  context.emit(Purse, 'updated', changed)
  return changed
}

const takeLater = job<{ id: string }>('take_coin', {
  emits: ['purse.updated'],
  attempts: 1,
  work: ({ transaction }, { id }) =>
    transaction(
      async (context) => {
        const purse = await requireRow(context, Purse, id)
        await context.remember(Purse, [purse])
        await takeCoin(context, purse)
      },
      { inTurn: true },
    ),
})

const { create, retrieve, action } = verbs(Purse)
const purses = resource(Purse, {
  jobs: [takeLater],
  operations: [
    create({ summary: 'Fill a purse', rule: (context, input) => insertRow(context, Purse, input) }),
    retrieve({ summary: 'Look into a purse' }),
    action('take', { summary: 'Take a coin', emits: ['purse.updated'], inTurn: true, rule: takeCoin }),
    action('take_later', {
      summary: 'Take a coin in a job',
      rule: async (context, purse) => {
        await context.enqueue(takeLater, { id: purse.id }, { awaited: true })
        return purse
      },
    }),
  ],
})

const TABLE = `create table purses (
  account_id text not null, id text not null, owner text not null, coins integer not null,
  created_at text not null, updated_at text not null, primary key (account_id, id)
)`

const fill = async (shop: SmallShop, coins: number) => {
  const { body } = await shop.call('POST', '/purses', { owner: 'everybody', coins })
  return (body as { id: string }).id
}
const coinsIn = async (shop: SmallShop, id: string) => (await shop.call('GET', `/purses/${id}`)).body.coins
const many = <Result>(count: number, start: (number: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, number) => start(number)))
const statusesOf = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe.each(engines)('Money on $name', (engine) => {
  describe.skipIf(!engine.available)('changes hands in turn', { timeout: 60_000 }, () => {
    let shop: SmallShop
    beforeAll(async () => {
      shop = await openSmallShop(engine, [purses], TABLE)
    })
    afterAll(async () => {
      await shop.close()
      expect(shop.errors).toEqual([])
    })

    it(`so that ${REQUESTS} requests at once all take their coin, each at its first try`, async () => {
      const id = await fill(shop, REQUESTS)
      runs = 0
      const answers = await many(REQUESTS, () => shop.call('POST', `/purses/${id}/take`, {}))
      expect(statusesOf(answers)).toEqual({ 200: REQUESTS })
      expect(await coinsIn(shop, id)).toBe(0)
      expect(runs).toBe(REQUESTS)
    })

    it('so that as many take one as there are, with idempotency keys, and the others are told why not', async () => {
      const id = await fill(shop, REQUESTS / 4)
      const take = (number: number) =>
        shop.call('POST', `/purses/${id}/take`, {}, { idempotencyKey: `take-${id}-${number}` })
      expect(statusesOf(await many(REQUESTS, take))).toEqual({ 200: REQUESTS / 4, 400: (REQUESTS * 3) / 4 })
      expect(await coinsIn(shop, id)).toBe(0)
    })

    it('also between requests and jobs', async () => {
      const id = await fill(shop, REQUESTS)
      const take = (number: number) =>
        shop.call('POST', `/purses/${id}/${number % 4 === 0 ? 'take_later' : 'take'}`, {})
      expect(statusesOf(await many(REQUESTS, take))).toEqual({ 200: REQUESTS })
      expect(await coinsIn(shop, id)).toBe(0)
    })
  })
})

describe.skipIf(!testServerUrl)('Money on two replicas over one PostgreSQL', { timeout: 60_000 }, () => {
  let shops: SmallShop[]
  let remove: () => Promise<void>
  beforeAll(async () => {
    const fresh = await freshPostgresUrl()
    remove = fresh.remove
    const replica: TestEngine = {
      name: 'postgres',
      available: true,
      open: (migrations) => openPostgres({ url: fresh.url, migrations }),
    }
    shops = [await openSmallShop(replica, [purses], TABLE), await openSmallShop(replica, [purses], TABLE)]
  })
  afterAll(async () => {
    for (const shop of shops) await shop.close()
    await remove()
  })

  it(`changes hands ${REQUESTS} times when as many ask at once`, async () => {
    const [first] = shops
    const { accountId } = first!
    const caller: Caller = { kind: 'session', sessionId: 'test', accountId, userId: 'user_test', role: 'owner' }
    const id = await fill(first!, REQUESTS)
    const take = (number: number) => shops[number % 2]!.call('POST', `/purses/${id}/take`, {}, { caller })
    expect(statusesOf(await many(REQUESTS, take))).toEqual({ 200: REQUESTS })
    expect(await coinsIn(first!, id)).toBe(0)
    expect(statusesOf(await many(REQUESTS, take))).toEqual({ 400: REQUESTS })
  })
})
