import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConflictError, type Database, type Transaction } from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { freshPostgresUrl, testServerUrl } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

const account = 'acct_1'

describe.skipIf(!testServerUrl)('PostgreSQL alone (left out unless TEST_DATABASE_URL is set)', () => {
  let database: Database<ItemTables>
  let url: string
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ url, remove } = await freshPostgresUrl())
    database = await openPostgres<ItemTables>({ url, migrations: itemMigrations, poolSize: 5 })
    await database.transaction(async ({ db }) => {
      await insertItem(db, 'a', 1)
      await insertItem(db, 'b', 1)
    })
  })
  afterEach(async () => {
    await database.close()
    await remove()
  })

  const total = async ({ db }: Pick<Transaction<ItemTables>, 'db'>) => {
    const { sum } = await db
      .selectFrom('item')
      .select(({ fn }) => fn.sum<number>('amount').as('sum'))
      .executeTakeFirstOrThrow()
    return sum
  }
  const set = (db: Database<ItemTables>['read'], id: string, amount: number) =>
    db.updateTable('item').set({ amount }).where('id', '=', id).execute()

  it('runs a transaction again after a conflict, also when its work swallowed the error', async () => {
    let runs = 0
    await database.transaction(async (unit) => {
      runs += 1
      const sum = await total(unit)
      if (runs === 1) await disturb()
      await unit.savepoint(() => set(unit.db, 'a', sum)).catch(() => {})
    })
    expect(runs).toBe(2)
    expect(await total({ db: database.read })).toBe(12 + 10)
  })

  it('never runs a READ COMMITTED transaction again, and lets it see what others have committed meanwhile', async () => {
    let runs = 0
    const changed = await database.transaction(
      async ({ db }) => {
        runs += 1
        await total({ db })
        await disturb()
        await set(db, 'b', 3)
        const small = db.updateTable('item').set({ amount: 7 }).where('id', '=', 'a').where('amount', '=', 1)
        return (await small.executeTakeFirstOrThrow()).numUpdatedRows
      },
      { readCommitted: true },
    )
    expect([runs, changed]).toEqual([1, 0n])
    expect(await total({ db: database.read })).toBe(2 + 3)
  })

  /** Another connection changes both rows and commits, which makes an open transaction that read them fail. */
  async function disturb() {
    const other = new Client({ connectionString: url })
    await other.connect()
    await other.query('begin isolation level serializable')
    await other.query('select sum(amount) from item')
    await other.query(`update item set amount = case id when 'a' then 2 else 10 end`)
    await other.query('commit')
    await other.end()
  }

  it('gives up with a ConflictError after a bounded number of runs', { timeout: 20_000 }, async () => {
    let runs = 0
    const always = database.transaction(async (unit) => {
      runs += 1
      const sum = await total(unit)
      await disturb()
      await set(unit.db, 'a', sum)
    })
    await expect(always).rejects.toThrow(ConflictError)
    expect(runs).toBe(10)
  })

  it('tells a program of a conflict at the statement or at the commit', async () => {
    const held = database.program({ account })
    await held.transaction(total)
    await disturb()
    await expect(held.transaction(({ db }) => set(db, 'a', 5))).rejects.toThrow(ConflictError)
    await expect(held.read.selectFrom('item').selectAll().execute()).rejects.toThrow(ConflictError)
    await expect(held.commit()).rejects.toThrow(ConflictError)

    const [one, two] = [database.program({ account }), database.program({ account: 'acct_2' })]
    await one.transaction(async (unit) => set(unit.db, 'a', await total(unit)))
    await two.transaction(async (unit) => set(unit.db, 'b', await total(unit)))
    const outcomes = [await one.commit().catch((error) => error), await two.commit().catch((error) => error)]
    expect(outcomes.filter((outcome) => outcome instanceof ConflictError)).toHaveLength(1)
  })

  it('does not take a failed statement for a success', async () => {
    const swallowed = database.transaction(async ({ db }) => {
      await insertItem(db, 'c')
      await insertItem(db, 'c').catch(() => {})
    })
    await expect(swallowed).rejects.toThrow('duplicate key')
    expect(await itemIds(database.read)).toEqual(['a', 'b'])
  })

  it('survives the loss of connections and leaks none', async () => {
    for (let round = 0; round < 6; round++) {
      const held = database.program({ account })
      await held.transaction(({ db }) => set(db, 'a', round))
      await endOtherConnections()
      await new Promise((resolve) => setTimeout(resolve, 20))
      await expect(held.transaction(total)).rejects.toThrow()
      await held.rollback()
    }
    await Promise.all(Array.from({ length: 5 }, () => database.transaction(total)))
    expect(await total({ db: database.read })).toBe(2)
  })

  async function endOtherConnections() {
    const other = new Client({ connectionString: url })
    await other.connect()
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await other.end()
  }

  it('lets transactions in turn wait for a program of their account, without a connection', async () => {
    const held = database.program({ account })
    await held.transaction(({ db }) => set(db, 'a', 5))
    const order: string[] = []
    const waiting = Array.from({ length: 10 }, (_, number) =>
      database.transaction(
        async (unit) => {
          order.push(`turn ${number}`)
          await set(unit.db, 'a', (await total(unit)) + 1)
        },
        { account, inTurn: true },
      ),
    )
    expect(await database.transaction(total, { account: 'acct_2', inTurn: true })).toBe(2)
    expect(await total({ db: database.read })).toBe(2)
    order.push('the program')
    await held.commit()
    await Promise.all(waiting)
    expect(order).toEqual(['the program', ...Array.from({ length: 10 }, (_, number) => `turn ${number}`)])
  })

  it('loses no transaction of an account where all of them touch the same rows', async () => {
    const adding = Array.from({ length: 120 }, (_, number) =>
      database.transaction(
        async (unit) => {
          await total(unit)
          await new Promise((resolve) => setTimeout(resolve, 5))
          await insertItem(unit.db, `row ${number}`)
        },
        { account },
      ),
    )
    await Promise.all(adding)
    expect(await itemIds(database.read)).toHaveLength(2 + 120)
  })

  it('gives back the place that an aborted program was waiting for', async () => {
    const held = database.program({ account })
    await itemIds(held.read)
    const leaving = new AbortController()
    const aborted = database.program({ account, signal: leaving.signal })
    const reading = itemIds(aborted.read)
    leaving.abort(new Error('too late'))
    await expect(reading).rejects.toThrow('too late')
    await Promise.all([aborted.rollback(), held.rollback()])
    const next = database.program({ account })
    expect(await itemIds(next.read)).toEqual(['a', 'b'])
    await next.rollback()
  })

  it('lets no program that waits for its turn keep the one that has it from a connection', async () => {
    const accounts = ['acct_1', 'acct_2', 'acct_3']
    const increment = async (name: string, holdFromStart: boolean): Promise<void> => {
      const program = database.program({ account: name, holdFromStart })
      try {
        await total({ db: program.read })
        await program.transaction(({ db }) => insertItem(db, `${name} ${++made}`))
        await program.commit()
      } catch (error) {
        await program.rollback()
        if (!(error instanceof ConflictError)) throw error
        await increment(name, true)
      }
    }
    let made = 0
    await Promise.all(Array.from({ length: 24 }, (_, index) => increment(accounts[index % 3]!, false)))
    expect(await itemIds(database.read)).toHaveLength(2 + 24)
  })

  it('keeps the type parsers of other users of pg as they are', async () => {
    const { rows } = await sql<{ n: unknown }>`select 5::int8 as n`.execute(database.read)
    expect(rows).toEqual([{ n: 5 }])
    const other = new Client({ connectionString: url })
    await other.connect()
    expect((await other.query('select 5::int8 as n')).rows).toEqual([{ n: '5' }])
    await other.end()
  })

  it('never gives one account all connections of programs that only read', { timeout: 20_000 }, async () => {
    const reading = (owner: string) => {
      const program = database.program({ account: owner })
      return { program, read: program.read.selectFrom('item').select('id').execute() }
    }
    const busy = Array.from({ length: 6 }, () => reading('busy'))
    await busy[0]!.read
    const other = reading('other')
    expect(await other.read).toHaveLength(2)
    await other.program.rollback()
    for (const { program, read } of busy) {
      await read
      await program.rollback()
    }
  })

  it('gives back a connection that comes after its program has gone, and none that is in use', async () => {
    const held = Array.from({ length: 5 }, (_, index) =>
      database.program({ account: `a${index}`, holdFromStart: true }),
    )
    const gone = new AbortController()
    const started = held.map((program) => program.read.selectFrom('item').select('id').execute())
    const left = database.program({ account: 'left', signal: gone.signal })
    const reading = left.read.selectFrom('item').select('id').execute()
    gone.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
    await left.rollback()
    for (const [index, program] of held.entries()) {
      await started[index]
      await program.rollback()
    }
    await Promise.all(Array.from({ length: 10 }, () => total({ db: database.read })))
  })
})
