import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../src/contract/declarations/caller.ts'
import { requireTurn } from '../../../src/records/background/state.ts'
import { onEngines } from '../../support/app.ts'
import { times } from '../../support/depth.ts'
import { backgroundShop } from './shop.ts'

const SLOW = { SANDBOX_WORKERS: '2', RATE_LIMIT_PER_MINUTE: '60000', RATE_LIMIT_BURST: '5000' }

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('what a background program may take', () => {
    let shop: Awaited<ReturnType<typeof backgroundShop>>
    beforeAll(async () => {
      shop = await backgroundShop({ engine: name, settings: { ...SLOW, RATE_LIMIT_SLOW_PER_MINUTE: '3' } })
    })
    afterAll(() => shop.agent.close())

    const over = (word: string, of: number, block: string) =>
      `# background: true\neach_batch(list("/customers", query: "${word}"), of: ${of}) { |rows| ${block} }`

    test('is half as many rows where a batch was too large, without one being skipped', async () => {
      await shop.customers('heavy', 12)
      const grows = '"x" * 1_000_000_000 if rows.size > 3 && rows.none? { |row| row["email"].start_with?("heavy11@") }'
      const block = `${grows}; rows.each { |row| patch("/customers/#{row["id"]}", name: "Light") }; rows.size`
      const { result, error } = await shop.execute(over('heavy', 6, block))
      expect(error).toBeUndefined()
      expect(result).toMatchObject({ rows: 12, done: 6 })
      const done = await shop.until(result.background, 'done', 'failed')
      expect(done).toMatchObject({ state: 'done', done: 12, sum: 12, batches: 3, last_value: 3 })
    })

    test.skipIf(times({ gate: 0, deep: 1 }) === 0)(
      'is half as many rows after a deadline',
      { timeout: 60_000 },
      async () => {
        await shop.customers('slow', 9)
        const waits = 'loop {} if rows.size > 2 && rows.none? { |row| row["email"].start_with?("slow8@") }'
        const { result } = await shop.execute(over('slow', 4, `${waits}; rows.size`))
        const done = await shop.until(result.background, 'done', 'failed')
        expect(done).toMatchObject({ state: 'done', done: 9, sum: 9, batches: 4 })
      },
    )

    test('fails where a single row is still too large, and keeps what was before it', async () => {
      await shop.customers('single', 3)
      const grows = 'rows.each { |row| "x" * 1_000_000_000 if row["email"].start_with?("single0@") }'
      const { result } = await shop.execute(over('single', 1, `${grows}; rows.size`))
      const failed = await shop.until(result.background, 'done', 'failed')
      expect(failed).toMatchObject({ state: 'failed', done: 2, error: { type: 'memory_limit' } })
    })

    test('is two thousand bytes of what a block returned', async () => {
      await shop.customers('wordy', 2)
      const { result } = await shop.execute(over('wordy', 1, '"word " * 5_000'))
      const done = await shop.until(result.background, 'done', 'failed')
      const kept = JSON.stringify(done.last_value)
      expect(done).toMatchObject({ state: 'done', batches: 2 })
      expect(kept).toContain('word word')
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(2_100)
      expect(done.sum).toBeUndefined()
    })

    test('is what an operation with its own limit allows: it waits, and takes fewer rows', async () => {
      await shop.customers('letters', 8)
      const send = 'rows.each { |row| post("/emails", to: row["email"], subject: "Hello", text: "Hello.") }; rows.size'
      const { result, error } = await shop.execute(over('letters', 2, send))
      expect(error).toBeUndefined()
      for (;;) {
        const progress = await shop.status(result.background)
        if (progress.waits_until === undefined) {
          expect(progress.state).toMatch(/^(queued|running)$/)
          continue
        }
        expect(progress).toMatchObject({ state: 'running', done: 2, batches_left: 6 })
        break
      }
      expect((await shop.execute(`# stop: ${result.background}`)).result.state).toBe('stopped')
    })

    test('is one of three at a time of one person, and one of five in an account, the last for people who may write', async () => {
      await shop.customers('crowd', 2)
      const { database } = shop.agent.app.app
      const held: string[] = []
      for (let count = 0; count < 3; count++) {
        const { result } = await shop.execute(over('crowd', 1, 'rows.size'))
        held.push(result.background)
        await shop.until(result.background, 'done')
        // Makes the program look as if its next batch were queued.
        await database.transaction(({ db }) =>
          db.updateTable('background_programs').set({ state: 'queued' }).where('id', '=', result.background).execute(),
        )
      }
      const refused = await shop.execute(
        over('crowd', 1, 'rows.each { |row| patch("/customers/#{row["id"]}", name: "Six") }'),
      )
      expect(refused.error).toMatchObject({
        message: expect.stringContaining('3 background programs of the same person'),
      })
      expect((await shop.execute('list("/customers", query: "crowd").map { |c| c["name"] }')).result).not.toContain(
        'Six',
      )
      const account = shop.agent.app.accountId
      const place = { db: database.read, accountId: account }
      const turn = (role: Role, user_id: string) => {
        const starter = { kind: 'session', sessionId: 's', accountId: account, userId: user_id, role } as const
        return requireTurn(place, { user_id, caller_id: 's' }, starter)
      }
      await turn('viewer', 'user_other')
      await database.transaction(({ db }) =>
        db.updateTable('background_programs').set({ user_id: 'user_viewer' }).where('id', '=', held[0]!).execute(),
      )
      const { result: fourth } = await shop.execute(over('crowd', 1, 'rows.size'))
      await shop.until(fourth.background, 'done')
      await database.transaction(({ db }) =>
        db
          .updateTable('background_programs')
          .set({ state: 'queued', user_id: 'user_viewer' })
          .where('id', '=', fourth.background)
          .execute(),
      )
      await expect(turn('viewer', 'user_other')).rejects.toThrow('the last place is for people who may change the shop')
      await turn('editor', 'user_other')
      await database.transaction(({ db }) =>
        db.updateTable('background_programs').set({ state: 'stopped' }).where('id', '=', fourth.background).execute(),
      )
      await shop.execute(`# stop: ${held.pop()}`)
      expect((await shop.execute(over('crowd', 1, 'rows.size'))).error).toBeUndefined()
      for (const id of held) await shop.execute(`# stop: ${id}`)
    })

    test.skipIf(times({ gate: 0, deep: 1 }) === 0 && name === 'postgres')('is a list of 100,000 rows', async () => {
      const { database } = shop.agent.app.app
      const made = (await shop.agent.app.api('POST', '/tags', { name: 'Many' })).body.id
      const more = (from: number, to: number) =>
        database.transaction(({ db }) =>
          sql`insert into tags (account_id, id, name, name_key, search_text, created_at, updated_at)
            with recursive numbers (n) as (select ${sql.lit(from)} union all select n + 1 from numbers where n < ${sql.lit(to)})
            select account_id, 'tag_0000000000000000000' || (1000000 + n), 'Many ' || n, 'many ' || n, 'many ' || n, created_at, updated_at
            from tags, numbers where id = ${made}`.execute(db),
        )
      await more(1, 99_999)
      // PostgreSQL does this by itself within a minute. Until then, its plans are for an empty table.
      if (name === 'postgres') await database.transaction(({ db }) => sql`analyze tags`.execute(db))
      const begin = () =>
        shop.execute('# background: true\neach_batch(list("/tags", query: "many"), of: 1) { |rows| rows.size }')
      const begun = await begin()
      expect(begun.error).toBeUndefined()
      expect(begun.result).toMatchObject({ rows: 100_000, done: 1 })
      await shop.execute(`# stop: ${begun.result.background}`)
      await more(100_000, 100_000)
      expect((await begin()).error).toMatchObject({
        message: expect.stringContaining('The list has more than 100000 rows. Narrow it with filters.'),
      })
    })

    test('belongs to the run of a task that began it', async () => {
      await shop.customers('tasked', 4)
      const prompt = `# ruby\n${over('tasked', 2, 'rows.each { |row| patch("/customers/#{row["id"]}", metadata: { by: run["id"] }) }; rows.size')}`
      const task = (await shop.agent.app.api('POST', '/tasks', { name: 'Go over them', prompt })).body
      expect(task.last_run).toMatch(/^atrun_/)
      const one = await begunBy(task.last_run)
      expect(await shop.until(one, 'done', 'failed')).toMatchObject({ state: 'done', sum: 4 })
      const kept = await shop.execute('list("/customers", query: "tasked").map { |c| c["metadata"]["by"] }.uniq')
      expect(kept.result).toEqual([task.last_run])
    })

    async function begunBy(run: string): Promise<string> {
      const { database } = shop.agent.app.app
      for (;;) {
        const rows = await database.read
          .selectFrom('background_programs')
          .select('id')
          .where('task_run', '=', run)
          .execute()
        if (rows[0]) return rows[0].id
        const { status, error_message } = (await shop.agent.app.api('GET', `/task_runs/${run}`)).body
        if (status === 'failed') throw new Error(error_message)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  })
})
