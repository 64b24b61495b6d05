import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileForIds, compileOnce } from '../../src/database/compile-once.ts'
import { ConflictError, type Database, type Transaction } from '../../src/database/database.ts'
import { isUniqueViolation } from '../../src/database/unique.ts'
import { engines } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

const account = 'acct_1'

for (const engine of engines) {
  const suite = engine.available ? `on ${engine.name}` : `on ${engine.name} (left out: TEST_DATABASE_URL is not set)`
  describe.skipIf(!engine.available)(suite, () => {
    let database: Database<ItemTables>

    beforeEach(async () => {
      database = await engine.open<ItemTables>(itemMigrations)
    })
    afterEach(() => database.close())

    const add = (id: string) => (unit: Transaction<ItemTables>) => insertItem(unit.db, id)

    describe('a transaction', () => {
      it('keeps what it wrote and passes on its result', async () => {
        const result = await database.transaction(async (unit) => {
          await insertItem(unit.db, 'a')
          return itemIds(unit.db)
        })
        expect(result).toEqual(['a'])
        expect(await itemIds(database.read)).toEqual(['a'])
      })

      it('undoes what it wrote when it rejects', async () => {
        const failing = database.transaction(async (unit) => {
          await insertItem(unit.db, 'a')
          throw new RangeError('no')
        })
        await expect(failing).rejects.toThrow(RangeError)
        expect(await itemIds(database.read)).toEqual([])
      })

      it('undoes only the savepoint that rejected', async () => {
        await database.transaction(async (unit) => {
          await insertItem(unit.db, 'a')
          const part = unit.savepoint(async () => {
            await insertItem(unit.db, 'b')
            await unit.savepoint(() => insertItem(unit.db, 'c'))
            throw new Error('no')
          })
          await expect(part).rejects.toThrow('no')
          await unit.savepoint(() => insertItem(unit.db, 'd'))
        })
        expect(await itemIds(database.read)).toEqual(['a', 'd'])
      })

      it('goes on after a statement failed inside a savepoint', async () => {
        await database.transaction(async (unit) => {
          await insertItem(unit.db, 'a')
          const error = await unit.savepoint(() => insertItem(unit.db, 'a')).catch((reason) => reason)
          expect(isUniqueViolation(error)).toBe(true)
          await insertItem(unit.db, 'b')
        })
        expect(await itemIds(database.read)).toEqual(['a', 'b'])
      })

      it('refuses savepoints that overlap', async () => {
        const overlapping = database.transaction((unit) =>
          Promise.all([unit.savepoint(() => insertItem(unit.db, 'a')), unit.savepoint(() => insertItem(unit.db, 'b'))]),
        )
        await expect(overlapping).rejects.toThrow('must not overlap')
        expect(await itemIds(database.read)).toEqual([])
      })

      it('refuses another transaction inside its work instead of waiting for ever', async () => {
        await expect(database.transaction(() => database.transaction(add('a')))).rejects.toThrow('already running')
      })

      it('refuses a query after its end', async () => {
        let kept: Transaction<ItemTables> | undefined
        await database.transaction(async (unit) => {
          kept = unit
        })
        await expect(insertItem(kept!.db, 'a')).rejects.toThrow('has ended')
        await expect(kept!.savepoint(async () => {})).rejects.toThrow('has ended')
      })

      it('loses none of 100 increments made at once', async () => {
        await database.transaction(add('a'))
        const increment = () =>
          database.transaction(async ({ db }) => {
            const { amount } = await db
              .selectFrom('item')
              .select('amount')
              .where('id', '=', 'a')
              .executeTakeFirstOrThrow()
            await db
              .updateTable('item')
              .set({ amount: amount + 1 })
              .where('id', '=', 'a')
              .execute()
          })
        let left = 100
        const worker = async () => {
          while (left-- > 0) await untilDone(increment)
        }
        await Promise.all(Array.from({ length: 8 }, worker))
        expect(await database.read.selectFrom('item').select('amount').executeTakeFirst()).toEqual({ amount: 100 })
      })
    })

    describe('the transaction of a program', () => {
      it('shows its writes to itself alone until it commits', async () => {
        const held = database.program({ account })
        await held.transaction(add('a'))
        expect(await itemIds(held.read)).toEqual(['a'])
        expect(await itemIds(database.read)).toEqual([])
        await held.commit()
        expect(await itemIds(database.read)).toEqual(['a'])
        await held.rollback()
        await expect(held.commit()).rejects.toThrow('ended')
        await expect(held.transaction(add('b'))).rejects.toThrow('ended')
      })

      it('undoes one call alone, and everything on rollback', async () => {
        const held = database.program({ account })
        await held.transaction(add('a'))
        await expect(held.transaction(add('a'))).rejects.toSatisfy(isUniqueViolation)
        await held.transaction(add('b'))
        expect(await itemIds(held.read)).toEqual(['a', 'b'])
        await held.rollback()
        await held.rollback()
        expect(await itemIds(database.read)).toEqual([])
      })

      it('runs concurrent calls one after the other', async () => {
        const held = database.program({ account })
        const calls = ['a', 'b', 'a', 'c'].map((id) => held.transaction(add(id)))
        const outcomes = await Promise.allSettled(calls)
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
        await held.commit()
        expect(await itemIds(database.read)).toEqual(['a', 'b', 'c'])
      })

      it('is not begun for a signal that was aborted', async () => {
        const reason = new Error('gone')
        const gone = database.program({ account, signal: AbortSignal.abort(reason) })
        await expect(gone.transaction(add('a'))).rejects.toBe(reason)
        await gone.rollback()
        await expect(itemIds(gone.read)).rejects.toBe(reason)
        await database.transaction(add('a'))
      })
    })

    describe('values', () => {
      it('come back as they went in', async () => {
        const row = { id: 'ü', amount: 9_007_199_254_740_991, active: false, body: '{"a":[1,null,"x"]}' }
        const inserted = await database.transaction(({ db }) =>
          db.insertInto('item').values(row).returningAll().executeTakeFirst(),
        )
        expect(inserted).toEqual(row)
        expect(await database.read.selectFrom('item').selectAll().where('active', '=', false).execute()).toEqual([row])
      })

      it('of counts and sums are numbers', async () => {
        await database.transaction(async ({ db }) => {
          await insertItem(db, 'a', 40)
          await insertItem(db, 'b', 2)
        })
        const totals = database.read
          .selectFrom('item')
          .select(({ fn }) => [fn.countAll().as('count'), fn.sum('amount').as('sum')])
        expect(await totals.executeTakeFirst()).toEqual({ count: 2, sum: 42 })
      })

      it('tell how many rows an update changed', async () => {
        await database.transaction(add('a'))
        const result = await database.transaction(({ db }) =>
          db.updateTable('item').set({ amount: 1 }).executeTakeFirst(),
        )
        expect(result.numUpdatedRows).toBe(1n)
      })

      it.each([
        ['a Date', new Date(0)],
        ['undefined', undefined],
        ['an array', [1]],
        ['a value of type object', {}],
      ])('refuse %s as a parameter', async (description, value) => {
        const query = sql`select * from item where id = ${value}`.execute(database.read)
        await expect(query).rejects.toThrow(`Parameter 1 of the query is ${description}`)
      })
    })

    it('runs a query that was compiled once with other values each time', async () => {
      const cheaperThan = compileOnce((db: Kysely<ItemTables>, limit: number, not: string) =>
        db
          .selectFrom('item')
          .select('id')
          .where('active', '=', true)
          .where('amount', '<', limit)
          .where('id', '!=', not),
      )
      await database.transaction(async ({ db }) => {
        await insertItem(db, 'a', 1)
        await insertItem(db, 'b', 2)
        expect(await cheaperThan(db, 3, 'b')).toEqual([{ id: 'a' }])
      })
      expect(await cheaperThan(database.read, 3, 'a')).toEqual([{ id: 'b' }])
      expect(await cheaperThan(database.read, 2, 'x')).toEqual([{ id: 'a' }])
    })

    it.each([0, 1, 2, 3, 20, 21, 500, 501, 1_100])(
      'finds %i ids with a query that was compiled for a few numbers',
      async (count) => {
        const among = compileForIds((db: Kysely<ItemTables>, not, ids) =>
          db.selectFrom('item').select('id').where('id', '!=', not).where('id', 'in', ids),
        )
        const ids = Array.from({ length: count }, (_, index) => `item ${index}`)
        await database.transaction(async ({ db }) => {
          for (const id of [...ids.slice(0, 600), 'unwanted', 'another']) await insertItem(db, id)
        })
        const found = (await among(database.read, 'another', [...ids, 'another'])).map(({ id }) => id)
        expect(found.toSorted()).toEqual(ids.slice(0, 600).toSorted())
      },
    )

    it('refuses transactions that go round the scope', async () => {
      await expect(database.read.transaction().execute(async () => {})).rejects.toThrow('Scope.transaction')
    })

    it('answers a ping', () => database.ping())
  })
}

/** Under heavy contention a transaction may fail after its retries; this runs it again. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
  }
}
