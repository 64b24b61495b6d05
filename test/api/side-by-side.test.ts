import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/database/database.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { onEachEngine } from '../support/shop.ts'

const MAKERS = 24
const ROUNDS = 4

/** As a shop is filled: on tables that PostgreSQL knows nothing of yet, by clients that do not wait for one another. */
describe('Records made side by side in a new database', () => {
  onEachEngine((shop) => {
    it('are each made at once: none reads what another writes', async () => {
      const { database } = shop.running.app
      const transaction = database.transaction.bind(database)
      const runs = { first: 0, again: 0 }
      database.transaction = (work, options) => {
        let before = 0
        const counted = (unit: Transaction<Tables>) => {
          runs[before++ === 0 ? 'first' : 'again'] += 1
          return work(unit)
        }
        return transaction(counted, options)
      }
      const discount = { discount_type: 'percent_off', percent_off: 5 }
      const bodies = {
        '/products': (name: string) => ({ name }),
        '/customers': (name: string) => ({ email: `${name}@example.com` }),
        '/discounts': (name: string) => ({ code: name, ...discount }),
      }
      for (const [path, body] of Object.entries(bodies)) {
        const names = Array.from({ length: MAKERS * ROUNDS }, (_, number) => `made-${number}`)
        for (let made = 0; made < names.length; made += MAKERS) {
          const some = names.slice(made, made + MAKERS)
          const answers = await Promise.all(some.map((name) => shop.api('POST', path, body(name))))
          expect([path, ...new Set(answers.map(({ status }) => status))]).toEqual([path, 201])
        }
      }
      expect(runs.first).toBeGreaterThanOrEqual(MAKERS * ROUNDS * 3)
      expect(runs.again).toBeLessThanOrEqual(MAKERS / 4)
    })
  })
})
