import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { RowChoice } from '../../../src/mcp/background/row-choice.ts'
import { ListReader } from '../../../src/pipeline/list-reader.ts'
import { onEngines } from '../../support/app.ts'
import { backgroundShop } from './shop.ts'

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('choosing the rows of a background program', () => {
    let shop: Awaited<ReturnType<typeof backgroundShop>>
    beforeAll(async () => {
      shop = await backgroundShop({ engine: name, settings: { SANDBOX_WORKERS: '1' } })
      await shop.customers('late', 3)
    })
    afterEach(() => vi.restoreAllMocks())
    afterAll(() => shop.agent.close())

    const over = (list: string) => `# background: true\neach_batch(${list}, of: 2) { |rows| rows.size }`
    const LIST = 'list("/customers", query: "late")'

    test('may take longer than a program has', async () => {
      const ids = ListReader.prototype.ids
      vi.spyOn(ListReader.prototype, 'ids').mockImplementation(async function (this: ListReader, ...asked) {
        await delay(5_100)
        return ids.apply(this, asked)
      })
      const { result, error } = await shop.execute(over(LIST))
      expect(error).toBeUndefined()
      expect(result).toMatchObject({ rows: 3, done: 2 })
      expect(await shop.until(result.background, 'done', 'failed')).toMatchObject({ state: 'done', sum: 3 })
    })

    test('leaves out what is deleted before the first batch, and happens once for a list that depends on the clock', async () => {
      const ids = ListReader.prototype.ids
      const spy = vi.spyOn(ListReader.prototype, 'ids').mockImplementation(async function (this: ListReader, ...asked) {
        return ['cus_00000000000000000000000000', ...(await ids.apply(this, asked))]
      })
      const { result } = await shop.execute(
        over('list("/customers", query: "late", created_at: { gt: Time.now - 86_400 - rand(10) })'),
      )
      expect(result).toMatchObject({ rows: 4, done: 1, left_out: 1 })
      expect(spy).toHaveBeenCalledTimes(1)
    })

    test('is refused as the list is', async () => {
      expect(await shop.execute(over('list("/customers", query: "x" * 10_000)'))).toMatchObject({ committed: 'none' })
      expect((await shop.execute(over('list("/nothing")'))).error).toBeDefined()
    })

    test('has a limit of its own', async () => {
      const asked = { path: '/customers', query: {}, scope: shop.agent.app.app.database }
      const caller = {
        kind: 'session',
        sessionId: 's',
        accountId: shop.agent.app.accountId,
        userId: 'u',
        role: 'owner',
      } as const
      const held = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('held')), 60_000).unref())
      const waitsForAbort = (_: unknown, __: number, signal?: AbortSignal) =>
        Promise.race([
          held,
          new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason))),
        ])
      const choice = new RowChoice({ ids: waitsForAbort, needsOf: () => 'customers.read' }, 20)
      expect(() => choice.take({ ...asked, caller })).toThrow()
      expect(await choice.choose(shop.agent.app.app.database)).toBe(true)
      expect(() => choice.take({ ...asked, caller })).toThrow('Narrow the list with filters')
    })
  })
})
