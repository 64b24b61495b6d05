import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'
import { execute, owner } from '../tasks/support.ts'

describe('The count of a list in a program', () => {
  onEachEngine((shop) => {
    beforeAll(() => stock(shop))

    const counted = async (list: string, first = '') => {
      const program = `${first}\n[${list}.count, ${list}.to_a.size, ${list}.each_slice(100).count]`
      const { result, error } = await execute(shop, program)
      expect(error).toBeUndefined()
      return { count: result[0], rows: result[1], pages: result[2] }
    }

    it('is the number of its rows, of every list of the catalogue', async () => {
      const paths = shop.operations.filter((one) => one.answersList && !one.path.includes('{')).map(({ path }) => path)
      const program = `${JSON.stringify(paths)}.filter_map do |path|
        rows = list(path).to_a.size rescue next
        [path, list(path).count, rows]
      end`
      const { result, error } = await execute(shop, program)
      expect(error).toBeUndefined()
      expect(result.length).toBeGreaterThan(20)
      for (const [path, count, rows] of result) expect([path, count]).toEqual([path, rows])
    })

    it('sees the filters and the program’s own writes, and is one call', async () => {
      for (let number = 100; number < 195; number++) await shop.tag({ name: `Counted ${number}` })
      const write = '12.times { |number| post("/tags", name: "Counted #{number}") }'
      const tags = 'list("/tags", query: "counted")'
      expect(await counted(tags, `# dry_run: true\n${write}`)).toEqual({ count: 107, rows: 107, pages: 2 })
      expect(await counted(tags)).toEqual({ count: 95, rows: 95, pages: 1 })
      let calls = 0
      const caller = { kind: 'session', sessionId: 'tests', ...(await owner(shop)) } as const
      const onCall = () => calls++
      await shop.running.app.mcp.execute(caller, `# dry_run: true\n${write}\n${tags}.count`, { onCall })
      expect(calls).toBe(13)
    })

    it('of another account’s rows is 0, and a refusal is that of the list', async () => {
      await shop.tag({ name: 'Of one account' })
      const other = shop.as(await shop.running.another('counts-nothing'))
      const caller = {
        kind: 'session',
        sessionId: 'tests',
        ...(await owner(shop)),
        accountId: other.accountId,
      } as const
      expect((await shop.running.app.mcp.execute(caller, 'list("/tags").count')).body.result).toBe(0)
      for (const list of ['list("/tags", colour: "red")', 'list("/account")', 'list("/nothing")']) {
        const [count, rows] = [await execute(shop, `${list}.count`), await execute(shop, `${list}.to_a`)]
        expect(count.error.message).toBe(rows.error.message)
      }
    })
  })
})
