import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileOnce } from '../../src/database/compile-once.ts'
import type { Database } from '../../src/database/database.ts'
import { engines } from './engines.ts'
import { type ItemTables, itemMigrations } from './items.ts'

const quotient = compileOnce((db: Kysely<ItemTables>, divisor: number) =>
  db.selectNoFrom(sql<number>`(12 / ${divisor}::integer)`.as('value')),
)

const postgres = engines.find(({ name }) => name === 'postgres')!

describe.skipIf(!postgres.available)('Reads that PostgreSQL is sent in one piece', () => {
  let database: Database<ItemTables>
  beforeAll(async () => {
    database = await postgres.open<ItemTables>(itemMigrations)
  })
  afterAll(() => database.close())

  it('fail each by itself, and leave the connections usable', async () => {
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.allSettled([3, 0, 4, 0, 6].map((divisor) => quotient(database.read, divisor)))
      expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))).toEqual([
        [{ value: 4 }],
        expect.stringContaining('division by zero'),
        [{ value: 3 }],
        expect.stringContaining('division by zero'),
        [{ value: 2 }],
      ])
    }
  })
})
