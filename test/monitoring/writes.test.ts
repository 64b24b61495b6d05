import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServerUrl } from '../database/engines.ts'
import { onEngines, type RunningApp, startApp } from '../support/app.ts'

const METRICS_TOKEN = 'metrics_for_the_operator_alone'

/** Lets the database take no writes, and takes them again. */
const BREAKS = {
  sqlite: [
    `create trigger no_inserts before insert on settings begin select raise(abort, 'no'); end`,
    'drop trigger no_inserts',
  ],
  postgres: [
    'alter database %s set default_transaction_read_only = on',
    'alter database %s reset default_transaction_read_only',
  ],
} as const

for (const { name, available } of onEngines) {
  describe.skipIf(!available)(`A database that takes no writes, on ${name}`, () => {
    let running: RunningApp
    let nowMs = 0
    beforeAll(async () => {
      running = await startApp({ engine: name, settings: { METRICS_TOKEN }, now: () => nowMs })
    })
    afterAll(() => running.close())

    async function change(statement: string): Promise<void> {
      const { engine, read } = running.app.database
      if (engine === 'sqlite')
        return void (await running.app.database.transaction(({ db }) => sql.raw(statement).execute(db)))
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(read)
      const [place] = rows
      const client = new Client({ connectionString: testServerUrl })
      await client.connect()
      await client.query(statement.replace('%s', place!.name))
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [place!.name])
      await client.end()
    }
    async function readiness() {
      const response = await fetch(`${running.url}/readyz`)
      return [response.status, await response.json()]
    }
    async function failingSeconds() {
      const response = await fetch(`${running.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
      return Number(/^shopwright_writes_failing_seconds (\S+)$/m.exec(await response.text())![1])
    }
    const look = async (seconds: number) => {
      nowMs += seconds * 1000
      await running.app.writes.look()
      return readiness()
    }
    const failed = { writes: 'failed', reason: expect.stringContaining('takes no writes') }

    it('is reported within ten seconds, and pages go on for thirty', async () => {
      expect(await look(10)).toEqual([200, { status: 'ok', writes: 'ok' }])
      await change(BREAKS[name][0])
      // Connections that were cut are of no use to the first request.
      await expect.poll(readiness).toMatchObject([200, {}])
      expect(await look(10)).toEqual([200, { status: 'ok', ...failed }])
      expect(await look(29)).toEqual([200, { status: 'ok', ...failed }])
      expect(await failingSeconds()).toBe(29)
      expect(await look(1)).toEqual([503, { status: 'unavailable', ...failed }])
    })

    it('is tried again once in ten seconds, and recovers by itself', async () => {
      await change(BREAKS[name][1])
      await running.app.writes.look()
      nowMs += 9_000
      await expect.poll(() => look(10)).toEqual([200, { status: 'ok', writes: 'ok' }])
      expect(await failingSeconds()).toBe(0)
    })
  })
}
