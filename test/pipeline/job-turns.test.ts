import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccountClocks } from '../../src/clock/moments.ts'
import type { Database } from '../../src/database/database.ts'
import type { JobRow } from '../../src/database/system-tables.ts'
import { makeDue } from '../../src/jobs/lane-state.ts'
import { claimDueJobs, markDone } from '../../src/jobs/queue.ts'
import { JobWorker } from '../../src/jobs/worker.ts'
import { allMigrations } from '../../src/migrations.ts'
import { JobBoard } from '../../src/pipeline/job-board.ts'
import { job } from '../../src/records/job.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { createServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings/config.ts'
import { engines } from '../database/engines.ts'

const OLD = '2026-01-01T00:00:00Z'
const NEWER = '2026-02-01T00:00:00Z'
const FUTURE = '2126-01-01T00:00:00Z'
const BACKLOG = 2_000

describe.each(engines)('The turns of jobs on $name', (engine) => {
  describe.skipIf(!engine.available)('go round the accounts', { timeout: 60_000 }, () => {
    let database: Database<Tables>
    beforeAll(async () => {
      database = await engine.open<Tables>(await allMigrations())
    })
    afterAll(() => database.close())

    const row = (account: string, number: number, more: Partial<JobRow>): JobRow => ({
      account_id: account,
      id: `job_${account}_${String(number).padStart(6, '0')}`,
      name: 'work',
      lane: 'outside',
      payload: '{}',
      state: 'due',
      attempts: 0,
      run_at: OLD,
      leased_until: null,
      last_error: null,
      created_at: OLD,
      finished_at: null,
      origin: null,
      ...more,
    })
    const insert = (account: string, count: number, more: Partial<JobRow> = {}) =>
      database.transaction(async ({ db }) => {
        const rows = Array.from({ length: count }, (_, number) => row(account, number, more))
        while (rows.length > 0) await db.insertInto('jobs').values(rows.splice(0, 500)).execute()
      })
    const clear = () => database.transaction(({ db }) => db.deleteFrom('jobs').execute())
    /** A worker that carries out what it claims in rounds: all that it has taken ends before it claims again. */
    const rounds = async (count: number, working: string[] = []) => {
      const served: string[][] = []
      let lastServed = ''
      for (let round = 0; round < count; round++) {
        await makeDue(database, NEWER)
        const claimed = await claimDueJobs(database, {
          lane: 'outside',
          names: ['work'],
          room: 8 - working.length,
          mostOfAccount: 2,
          mostAlone: 6,
          working,
          lastServed,
          leaseMs: () => 60_000,
        })
        ;({ lastServed } = claimed)
        served.push(claimed.jobs.map((one) => one.account_id))
        await database.transaction(({ db }) => markDone(db, claimed.jobs))
      }
      return served
    }

    it('so that a newer job of a fifth does not wait for the backlogs of four', async () => {
      await clear()
      for (const account of ['a', 'b', 'c', 'd']) await insert(account, BACKLOG)
      await insert('e', 1, { run_at: NEWER })
      expect((await rounds(1)).flat()).toContain('e')
    })

    it('also when its id comes first or in the middle, and its time came only now', async () => {
      for (const account of ['0', 'bb']) {
        await clear()
        for (const busy of ['a', 'b', 'c', 'd']) await insert(busy, 100)
        await rounds(1)
        await insert(account, 1, { run_at: NEWER, state: 'waiting' })
        expect((await rounds(2)).flat()).toContain(account)
      }
    })

    it('and serve all of thirty alike, two of each at most at a time', async () => {
      await clear()
      const accounts = Array.from({ length: 30 }, (_, index) => `n${String(index).padStart(2, '0')}`)
      for (const account of accounts) await insert(account, 20)
      const served = await rounds(30)
      for (const round of served) expect(round).toHaveLength(8)
      const counts = accounts.map((account) => served.flat().filter((one) => one === account).length)
      expect([Math.min(...counts), Math.max(...counts)]).toEqual([8, 8])
    })

    it('and prefer who has nothing under way', async () => {
      await clear()
      for (const account of ['a', 'b', 'c']) await insert(account, 10)
      const served = await rounds(1, ['a', 'b', 'b', 'x', 'x', 'x'])
      expect(served.flat()).toEqual(['c', 'a'])
    })

    it('and pass over kinds of jobs that this process does not know', async () => {
      await clear()
      for (let number = 0; number < 20; number++) await insert(`a${number + 10}`, 3, { name: 'unknown' })
      await insert('b', 1)
      expect((await rounds(4)).flat()).toEqual(['b'])
    })

    it('and leave alone what is not due yet', async () => {
      await clear()
      await insert('a', 3, { state: 'waiting', run_at: FUTURE })
      await insert('b', 2, { state: 'working', leased_until: FUTURE, attempts: 1 })
      await insert('c', 2, { state: 'working', leased_until: OLD, attempts: 1 })
      expect((await rounds(2)).flat()).toEqual(['c', 'c'])
    })

    it('until a worker has done all of them, thousands of which became due at once', async () => {
      await clear()
      await insert('a', BACKLOG, { state: 'waiting' })
      await insert('b', 10, { state: 'waiting', run_at: NEWER })
      const done: string[] = []
      const work = job<object>('work', {
        emits: [],
        attempts: 1,
        timeoutMs: 5_000,
        async work({ accountId }) {
          done.push(accountId)
        },
      })
      const errors: object[] = []
      const log = { warn() {}, error: (details: object, message: string) => errors.push({ message, ...details }) }
      // The jobs of these tests need no transaction of their own.
      const services = createServices(readSettings({}), 'the secret key of these tests', { features: [] })
      const parts = { database, services, clocks: new AccountClocks(), board: new JobBoard(), types: [work], log }
      const unused = () => Promise.reject(new Error('unused'))
      const worker = new JobWorker({ ...parts, contexts: { part: unused, look: unused } })
      worker.start()
      while (done.filter((account) => account === 'b').length < 10) await delay(10)
      await worker.stop()
      expect(errors).toEqual([])
      expect(done.length).toBeLessThan(BACKLOG)
    })
  })
})
