import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { newCommitId, outcomeOf, RECORD_COMMIT } from '../../src/database/postgres/commit-record.ts'
import { ConnectionLostError } from '../../src/database/postgres/errors.ts'
import { createPool } from '../../src/database/postgres/pool.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { Network } from '../fire/database/network.ts'
import { freshPostgresUrl, testServerUrl } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

describe.skipIf(!testServerUrl)('A commit whose connection is cut (left out unless TEST_DATABASE_URL is set)', () => {
  let network: Network
  let directUrl: string
  let database: Database<ItemTables>
  let remove: () => Promise<void>

  beforeEach(async () => {
    ;({ url: directUrl, remove } = await freshPostgresUrl())
    network = new Network(Number(new URL(directUrl).port))
    const url = new URL(directUrl)
    url.hostname = '127.0.0.1'
    url.port = String(await network.listen())
    database = await openPostgres<ItemTables>({ url: url.href, migrations: itemMigrations, poolSize: 5 })
  })
  afterEach(async () => {
    await database.close()
    await network.close()
    await remove()
  })

  it.each(['before', 'after'] as const)(
    '%s it arrived is found out, and a transaction takes effect once',
    async (at) => {
      let runs = 0
      network.cuts = { at, left: 1 }
      const ids = Array.from({ length: 3 }, (_, index) => `item ${index}`)
      for (const id of ids)
        await database.transaction(async ({ db }) => {
          runs += 1
          await insertItem(db, id)
        })
      expect([network.cutCommits, runs]).toEqual([1, at === 'after' ? 3 : 4])
      expect(await itemIds(database.read)).toEqual(ids)
    },
  )

  it('is an answer to a program: kept when it had arrived, and otherwise a refusal', async () => {
    const run = async (id: string, at: 'before' | 'after') => {
      const program = database.program({ account: 'acct_1' })
      await program.transaction(({ db }) => insertItem(db, id))
      network.cuts = { at, left: 1 }
      return program.commit().then(
        () => 'kept',
        (error: unknown) => error,
      )
    }
    expect(await run('kept', 'after')).toBe('kept')
    expect(await run('undone', 'before')).toMatchObject({
      constructor: ConnectionLostError,
      message: expect.stringContaining('The database server cannot be reached.'),
    })
    expect(await itemIds(database.read)).toEqual(['kept'])
  })

  it('is waited for while it still runs, and can never follow once it was said to be undone', async () => {
    const pool = createPool(directUrl, 4)
    const [running, late] = await Promise.all([pool.connect(), pool.connect()])
    const [waitedFor, undone] = [newCommitId(), newCommitId()]
    try {
      await running.query('begin isolation level serializable')
      await running.query(RECORD_COMMIT, [waitedFor])
      const outcome = outcomeOf(pool, waitedFor)
      await expect.poll(() => waiting(pool)).toBe(1)
      await running.query('commit')
      expect(await outcome).toBe('committed')

      await late.query('begin isolation level serializable')
      expect(await outcomeOf(pool, undone)).toBe('undone')
      await expect(late.query(RECORD_COMMIT, [undone])).rejects.toThrow('duplicate key')
    } finally {
      for (const client of [running, late]) client.release(true)
      await pool.end()
    }
  })

  async function waiting(pool: Pool): Promise<number> {
    const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await pool.query(text)).rows.length
  }

  it('stays unknown where the database does not come back in time', async () => {
    const pool = createPool(directUrl.replace(/:\d+\//, ':9/'), 1)
    expect(await outcomeOf(pool, newCommitId(), 300)).toBe('unknown')
    await pool.end()
  })

  it('cannot keep a connection that says nothing, nor its place on the server', async () => {
    const { rows } = await settingsOf(directUrl)
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      client_connection_check_interval: '5000',
      idle_in_transaction_session_timeout: '15000',
      statement_timeout: '0',
    })
  })

  async function settingsOf(url: string) {
    const pool = createPool(url, 1)
    try {
      return await pool.query<{ name: string; setting: string }>(
        `select name, setting from pg_settings where name in
         ('client_connection_check_interval', 'idle_in_transaction_session_timeout', 'statement_timeout')`,
      )
    } finally {
      await pool.end()
    }
  }
})
