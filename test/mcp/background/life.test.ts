import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenRight } from '../../../src/contract/declarations/caller.ts'
import { createToken } from '../../../src/resources/dashboard/api-token/issue.ts'
import { onEngines, SECRET_KEY } from '../../support/app.ts'
import { backgroundShop, waysOf } from './shop.ts'

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a background program', () => {
    let shop: Awaited<ReturnType<typeof backgroundShop>>
    beforeAll(async () => {
      shop = await backgroundShop({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
    })
    afterAll(() => shop.agent.close())

    const tokenWith = async (right: TokenRight) => {
      const { database, firstAccount } = shop.agent.app.app
      const made = await createToken(database, SECRET_KEY, firstAccount!, { name: right, right })
      return { id: made.id, ...waysOf(shop.agent, made.value) }
    }
    const over = (word: string, of: number, block: string) =>
      `# background: true\neach_batch(list("/customers", query: "${word}"), of: ${of}) { |rows| ${block} }`
    const rename = (to: string) => `rows.each { |row| patch("/customers/#{row["id"]}", name: "${to}") }; rows.size`
    const names = async (word: string) => {
      const found: unknown = (await shop.execute(`list("/customers", query: "${word}").map { |c| c["name"] }.tally`))
        .result
      return found as Record<string, number>
    }

    test('goes on with the rows that it began with, also where it changes what the list is filtered by', async () => {
      await shop.customers('frozen', 25)
      const begun = await shop.execute(
        over(
          'frozen',
          4,
          'rows.each { |row| patch("/customers/#{row["id"]}", email: "x#{row["id"]}@example.com", name: "Other") }',
        ),
      )
      expect(begun.result).toMatchObject({ rows: 25, done: 4, batches_left: 6 })
      expect(await shop.until(begun.result.background, 'done', 'failed')).toMatchObject({
        state: 'done',
        done: 25,
        batches: 7,
      })
      expect(await names('frozen')).toEqual({})
      expect(await names('Other')).toEqual({ Other: 25 })
    })

    test('keeps what its blocks return sealed, and reads what earlier releases kept', async () => {
      await shop.customers('sealed', 4)
      const { result } = await shop.execute(over('sealed', 2, '{ "hidden-door" => 1 }'))
      const id = result.background
      const shown = { last_value: { 'hidden-door': 1 }, sum: { 'hidden-door': 2 } }
      expect(await shop.until(id, 'done', 'failed')).toMatchObject(shown)
      const { database } = shop.agent.app.app
      const stored = database.read.selectFrom('background_programs').select(['last_value', 'value_sums'])
      for (const text of Object.values(await stored.where('id', '=', id).executeTakeFirstOrThrow()))
        expect(text).toMatch(/^sealed (?!.*hidden-door)/)
      const earlier = { last_value: '{"hidden-door":1}', value_sums: '{"hidden-door":2}' }
      await database.transaction(({ db }) =>
        db.updateTable('background_programs').set(earlier).where('id', '=', id).execute(),
      )
      expect(await shop.status(id)).toMatchObject(shown)
    })

    test('is stopped and goes on, leaves out what is gone, and says what a batch failed for', async () => {
      await shop.customers('halting', 12)
      // It fails at the customer whose name is Bad, until that is mended.
      const [bad] = (await shop.agent.app.api('GET', '/customers?query=halting0@')).body.data
      const [gone] = (await shop.agent.app.api('GET', '/customers?query=halting1@')).body.data
      await shop.agent.app.api('PATCH', `/customers/${bad.id}`, { name: 'Bad halting' })
      const block =
        'rows.each { |row| raise "bad name" if row["name"] == "Bad halting"; patch("/customers/#{row["id"]}", phone: "+4912345678") }; rows.size'
      const { result } = await shop.execute(over('halting', 5, block))
      const failed = await shop.until(result.background, 'failed', 'done')
      expect(failed).toMatchObject({ state: 'failed', done: 10, error: { type: 'ruby_error', line: 2 } })
      expect(failed.error?.message).toContain('bad name')
      await shop.agent.app.api('PATCH', `/customers/${bad.id}`, { name: 'Good halting' })
      await shop.agent.app.api('DELETE', `/customers/${gone.id}`)
      expect((await shop.execute(`# resume: ${result.background}`)).result).toMatchObject({ state: 'queued', done: 10 })
      expect(await shop.until(result.background, 'failed', 'done')).toMatchObject({
        state: 'done',
        done: 11,
        left_out: 1,
        sum: 11,
      })
      expect((await shop.execute(`# stop: ${result.background}`)).error?.message).toContain('done cannot be stopped')
    })

    test('keeps nothing of the batch under way when it is stopped', async () => {
      await shop.customers('stopping', 300)
      const { result } = await shop.execute(over('stopping', 10, rename('Went stopping')))
      const stopped = (await shop.execute(`# stop: ${result.background}`)).result
      expect(stopped.state).toBe('stopped')
      const done = stopped.done
      const now = await names('stopping')
      expect(now['Went stopping']).toBe(done)
      expect((await shop.status(result.background)).done).toBe(done)
      await shop.execute(`# resume: ${result.background}`)
      expect(await shop.until(result.background, 'done', 'failed')).toMatchObject({ done: 300, sum: 300 })
    }, 60_000)

    test('ends with the token that began it, and belongs to that token alone', async () => {
      await shop.customers('revoked', 300)
      const agent = await tokenWith('write')
      const { result } = await agent.execute(over('revoked', 5, rename('Went revoked')))
      const foreign = await shop.execute(`# status: ${result.background}`)
      const unknown = await shop.execute('# status: bg_01jd0000000000000000000000')
      expect(foreign.error?.message.replace(result.background, '')).toBe(unknown.error?.message.replace(/bg_\w+/, ''))
      const other = await shop.agent.app.another(`elsewhere${name}`)
      expect((await waysOf(shop.agent, other.token).execute(`# stop: ${result.background}`)).error?.message).toBe(
        foreign.error?.message,
      )
      const { database, firstAccount } = shop.agent.app.app
      await database.transaction(({ db }) =>
        db
          .deleteFrom('api_tokens')
          .where('account_id', '=', firstAccount!.accountId)
          .where('id', '=', agent.id)
          .execute(),
      )
      const { id } = { id: result.background }
      let row = await stored(id)
      for (let tries = 0; tries < 200 && row.state !== 'stopped'; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        row = await stored(id)
      }
      expect(row).toMatchObject({ state: 'stopped', error_type: 'permission_denied' })
      expect(row.place).toBeLessThan(300)
    }, 60_000)

    const stored = (id: string) =>
      shop.agent.app.app.database.read
        .selectFrom('background_programs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()

    test('begins with its plan, and waits where a later batch calls what the first did not', async () => {
      await shop.customers('planned', 9)
      const agent = await tokenWith('propose')
      const block =
        'rows.each { |row| patch("/customers/#{row["id"]}", name: "Was planned") }; post("/tags", name: "from planned") if rows.any? { |row| row["email"] == "planned0@example.com" }'
      const dry = await agent.execute(over('planned', 3, block))
      expect(dry).toMatchObject({
        dry_run: true,
        result: { rows: 9, batches: 3, changes_are_of: 'the first batch' },
        plan: expect.stringMatching(/^plan_/),
      })
      // The newest come first, and none of these is among those that were planned.
      await shop.customers('planned later', 1).catch(() => {})
      const writer = shop.agent.app.app
      const session = {
        kind: 'session' as const,
        sessionId: 'someone',
        accountId: writer.firstAccount!.accountId,
        userId: writer.firstAccount!.userId,
        role: 'owner' as const,
      }
      const applied = await writer.mcp.execute(session, `# apply: ${dry.plan}`)
      expect(applied.body).toMatchObject({ committed: 'batch', result: { rows: 9, done: 3 } })
      const { background } = applied.body.result as { background: string }
      const waiting = await agent.until(background, 'waiting_for_approval', 'done', 'failed')
      expect(waiting).toMatchObject({ state: 'waiting_for_approval', done: 6, asks_for: ['POST /tags'] })
      expect((await agent.execute(`# resume: ${background}`)).error?.message).toContain('cannot resume')
      const resumed = await writer.mcp.execute(session, `# resume: ${background}`)
      expect(resumed.body).toMatchObject({ result: { state: 'queued' } })
      expect(await agent.until(background, 'done', 'failed', 'stopped')).toMatchObject({ state: 'done', done: 9 })
    }, 60_000)

    test('is one each_batch and nothing else', async () => {
      const wrong = async (code: string) => (await shop.execute(code)).error
      const batch = 'each_batch(list("/customers")) { |rows| rows.size }'
      expect(await wrong(`${batch}`)).toMatchObject({ message: expect.stringContaining('needs `# background: true`') })
      expect(
        await wrong(
          '# background: true\neach_batch(list("/customers", query: get("/account")["name"])) { |rows| rows.size }',
        ),
      ).toMatchObject({
        message: expect.stringContaining('all calls belong in the block'),
      })
      for (const text of [
        `get("/customers")\n${batch}`,
        `${batch}\n5`,
        `a = Time.now\n${batch}`,
        `if true\n${batch}\nend`,
        `x = ${batch}`,
      ])
        expect(await wrong(`# background: true\n${text}`)).toMatchObject({
          message: expect.stringContaining('A background program is one each_batch'),
        })
      expect(await wrong('# background: true\n5')).toMatchObject({ type: 'invalid_program' })
      expect(await wrong(`# background: true\n# atomic: false\n${batch}`)).toMatchObject({
        message: expect.stringContaining('one transaction'),
      })
      expect(
        await wrong('# background: true\neach_batch(list("/customers"), of: 1001) { |rows| rows.size }'),
      ).toMatchObject({ message: expect.stringContaining('from 1 to 1000') })
      const helped = await shop.execute(
        `# background: true\nTAGS = %w[a b]\nlimit = 5\ndef name_of(row) = row["name"]\neach_batch(list("/customers", query: "nobody at all")) { |rows| name_of(rows[0]) }`,
      )
      expect(helped.result).toMatchObject({ state: 'done', rows: 0, batches: 0 })
    })

    test('happens once with a key', async () => {
      await shop.customers('keyed', 6)
      const code = `# once: keyed-1\n${over('keyed', 2, rename('Went keyed'))}`
      const first = await shop.execute(code)
      const again = await shop.execute(code)
      expect(again).toMatchObject({ replayed: true, result: { background: first.result.background } })
      expect(await shop.until(first.result.background, 'done', 'failed')).toMatchObject({ state: 'done', sum: 6 })
      const { replayed, changed, result } = await shop.execute(code)
      expect({ replayed, result }).toMatchObject({
        replayed: true,
        result: { state: 'done', done: 6, batches_left: 0 },
      })
      expect(changed).toEqual({ 'customer.updated': 6 })
    })
  })

  describe.skipIf(!available)('background programs under a rate limit', () => {
    test('wait for it, and leave their token half', async () => {
      const settings = { SANDBOX_WORKERS: '2', RATE_LIMIT_PER_MINUTE: '1200', RATE_LIMIT_BURST: '20' }
      const shop = await backgroundShop({ engine: name, settings })
      try {
        for (let from = 0; from < 3; from++) await shop.customers(`budget${from}x`, 40)
        await new Promise((resolve) => setTimeout(resolve, 1000))
        const { result, error } = await shop.execute(`# background: true
each_batch(list("/customers"), of: 60) { |rows| rows.each { |row| 2.times { patch("/customers/#{row["id"]}", name: "Slow #{rand}") } }; rows.size }`)
        expect(error).toBeUndefined()
        expect(await shop.until(result.background, 'done', 'failed')).toMatchObject({ state: 'done', sum: 120 })
      } finally {
        await shop.agent.close()
      }
    }, 60_000)
  })
})
