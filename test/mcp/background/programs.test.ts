import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEngines } from '../../support/app.ts'
import { times } from '../../support/depth.ts'
import { backgroundShop } from './shop.ts'

const ROWS = times({ gate: 1_000, deep: 3_000 })

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('background programs', () => {
    let shop: Awaited<ReturnType<typeof backgroundShop>>
    beforeAll(async () => {
      shop = await backgroundShop({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
    })
    afterAll(() => shop.agent.close())

    test('go over thousands of rows, each once', async () => {
      await shop.customers('many', ROWS)
      const begun = await shop.execute(`# background: true
each_batch(list("/customers", query: "many"), of: 100) do |rows|
  rows.each { |row| patch("/customers/#{row["id"]}", metadata: { seen: ((row["metadata"]["seen"] || 0).to_i + 1).to_s }) }
  rows.size
end`)
      expect(begun.error).toBeUndefined()
      const batches_left = ROWS / 100 - 1
      expect(begun).toMatchObject({
        committed: 'batch',
        result: { state: 'running', rows: ROWS, done: 100, batches: 1, batches_left, last_value: 100 },
      })
      const done = await shop.until(begun.result.background, 'done', 'failed')
      expect(done).toMatchObject({ state: 'done', rows: ROWS, done: ROWS, batches_left: 0, sum: ROWS })
      expect(done.changed).toEqual({ 'customer.updated': ROWS })
      const { result } = await shop.execute('list("/customers").map { |c| c["metadata"]["seen"] }.tally')
      expect(result).toEqual({ '1': ROWS })
    })

    test('sum the counts of their batches by name', async () => {
      await shop.customers('counted', 5)
      const summary = async (block: string) => {
        const { result } = await shop.execute(
          `# background: true\neach_batch(list("/customers", query: "counted"), of: 2) { |rows| ${block} }`,
        )
        return shop.until(result.background, 'done', 'failed')
      }
      expect(await summary('{ tagged: rows.size, skipped: 1, "of #{rows.size}" => 0.5 }')).toMatchObject({
        state: 'done',
        sum: { tagged: 5, skipped: 3, 'of 2': 1, 'of 1': 0.5 },
        last_value: { tagged: 1, skipped: 1 },
      })
      expect(await summary('rows.size > 1 ? { tagged: 1 } : {}')).toMatchObject({ sum: { tagged: 2 } })
      for (const block of [
        'rows.size > 1 ? { tagged: 1 } : 7',
        '{ tagged: rows.size, last: "Ada" }',
        '{ rows.first["id"] * 99 => 1 }',
      ])
        expect(await summary(block)).not.toHaveProperty('sum')
    })
  })
})
