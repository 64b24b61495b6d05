import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/database/postgres.ts'
import { callTool } from '../mcp/agent.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { findPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { findServerPrograms, startServer } from '../support/postgres-server.mjs'
import { freshPostgresUrl, testServerUrl } from './engines.ts'

const program = findPgBouncer()

describe.skipIf(!testServerUrl)('Without a pooler (left out unless TEST_DATABASE_URL is set)', () => {
  it('statements stay prepared', async () => {
    const { url, remove } = await freshPostgresUrl()
    const database = await openPostgres<Record<string, never>>({ url, migrations: [] })
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(
      database.read,
    )
    expect(rows[0]!.count).toBeGreaterThan(0)
    await database.close()
    await remove()
  })
})

describe.skipIf(!program || !testServerUrl)('Behind PgBouncer in transaction mode (left out without it)', () => {
  const undo: (() => unknown)[] = []
  let running: RunningApp

  beforeAll(async () => {
    const fresh = await freshPostgresUrl()
    undo.push(fresh.remove)
    const url = await startPgBouncer(program!, fresh.url, undo)
    running = await startApp({ settings: { DATABASE_URL: url } })
  })
  afterAll(async () => {
    await running.close()
    for (const step of undo.reverse()) await step()
    expect(running.errors).toEqual([])
  })

  it('requests of many clients at once are answered', async () => {
    expect(running.app.database.engine).toBe('postgres')
    const each = async (client: number) => {
      const names = Array.from({ length: 10 }, (_, count) => `tag ${client} ${count}`)
      for (const name of names) {
        expect((await running.api('POST', '/tags', { name })).status).toBe(201)
        expect((await running.api('GET', '/tags?limit=5')).status).toBe(200)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, client) => each(client)))
    const { body } = await running.api('GET', '/tags?limit=100')
    expect(body.data).toHaveLength(80)
  })

  it('transactions plan as those of sessions of their own do', async () => {
    const { rows } = await running.app.database.transaction(({ db }) =>
      sql<
        Record<string, string>
      >`select current_setting('enable_seqscan') as scan, current_setting('jit') as jit`.execute(db),
    )
    expect(rows).toEqual([{ scan: 'off', jit: 'off' }])
    const other = sql<Record<string, string>>`select current_setting('enable_seqscan') as scan`
    expect((await other.execute(running.app.database.read)).rows).toEqual([{ scan: 'on' }])
  })

  it('programs are one transaction', async () => {
    const run = (code: string) => callTool(running, 'code_execute', code)
    const lost = await run('post("/tags", name: "lost")\nraise "no"')
    expect(lost.structuredContent).toMatchObject({ committed: 'none' })
    const kept = await run('20.times { |n| post("/tags", name: "kept #{n}") }\nlist("/tags").size')
    expect(kept.structuredContent).toMatchObject({ committed: 'all', result: 100 })
  })
})

const programs = findServerPrograms()

describe.skipIf(!program || !programs)(
  'PgBouncer whose PostgreSQL was down for four seconds (left out without them)',
  () => {
    const undo: (() => unknown)[] = []
    afterAll(async () => {
      for (const step of undo.reverse()) await step()
    })

    it.each([
      ['takes', false],
      ['and which was down, too, takes', true],
    ])('%s writes again long before it would with its own default of 15 seconds', async (_, isRestarted) => {
      const postgres = await startServer(programs!, undo)
      const url = await startPgBouncer(program!, postgres.url, undo)
      const stopPgBouncer = undo.at(-1)!
      const database = await openPostgres<Record<string, never>>({
        url,
        migrations: [{ name: '1', sql: 'create table written (at text)' }],
      })
      undo.push(() => database.close())
      const write = () => database.transaction(({ db }) => sql`insert into written values ('now')`.execute(db))
      await write()
      await Promise.all([postgres.stop(), isRestarted && stopPgBouncer()])
      const until = performance.now() + 4_000
      while (performance.now() < until)
        await write().then(
          () => expect.unreachable(),
          () => delay(100),
        )
      const pgBouncer = isRestarted && startPgBouncer(program!, postgres.url, undo, Number(new URL(url).port))
      await Promise.all([postgres.start(), pgBouncer])
      await expect
        .poll(
          () =>
            write().then(
              () => 'written',
              () => 'refused',
            ),
          { timeout: 11_000 },
        )
        .toBe('written')
    })
  },
)
