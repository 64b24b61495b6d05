import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('# once:', () => {
    let agent: Agent
    beforeAll(async () => {
      agent = await startAgent({ engine: name, settings: { SANDBOX_WORKERS: '2' } })
    })
    afterAll(() => agent.close())

    const content = async (code: string) => (await agent.execute(code)).structuredContent
    const emails = async () =>
      (await agent.app.api('GET', '/customers?limit=100')).body.data.map((one: { email: string }) => one.email)
    const making = (key: string, email: string) =>
      `# once: ${key}\n[post("/customers", email: "#{rand(1_000_000)}-${email}")["email"], rand]`

    test('answers again with the stored answer', async () => {
      const first = await content(making('a', 'again@example.com'))
      expect(first).toMatchObject({ committed: 'all', changed: { 'customer.created': 1 } })
      expect(await content(making('a', 'again@example.com'))).toEqual({ replayed: true, ...first })
      expect((await emails()).filter((email: string) => email.endsWith('again@example.com'))).toHaveLength(1)
    })

    test('makes one effect and one answer of 64 simultaneous starts', async () => {
      const answers = await Promise.all(Array.from({ length: 64 }, () => content(making('b', 'many@example.com'))))
      const replayed = answers.filter((answer) => answer.replayed)
      expect(replayed).toHaveLength(63)
      expect(new Set(answers.map(({ result }) => JSON.stringify(result))).size).toBe(1)
      expect((await emails()).filter((email: string) => email.endsWith('many@example.com'))).toHaveLength(1)
    })

    test('refuses another program under the same key', async () => {
      await content(making('c', 'one@example.com'))
      const other = await content(making('c', 'other@example.com'))
      expect(other).toMatchObject({
        committed: 'none',
        error: { type: 'once_key_reused', message: expect.stringContaining(' c ') },
      })
    })

    test('keeps nothing of a program that failed, which may be tried again', async () => {
      const failing =
        '# once: d\npost("/tags", name: "half")["id"]\nraise "stop" if list("/tags", query: "ready").none?\n"done"'
      expect(await content(failing)).toMatchObject({ committed: 'none', error: { type: 'ruby_error' } })
      await content('post("/tags", name: "ready")["id"]')
      expect(await content(failing)).toMatchObject({ committed: 'all', result: 'done' })
      expect(await content(failing)).toMatchObject({ replayed: true, result: 'done' })
    })

    test('leaves the key free when nothing was written', async () => {
      const reading = '# once: reading\nget("/account")["object"]'
      expect(await content(reading)).toEqual({ result: 'account' })
      expect(await content(making('reading', 'later@example.com'))).toMatchObject({ committed: 'all' })
    })

    test('does not concern dry runs, whose plan it holds for', async () => {
      const dry = `# dry_run: true\n${making('e', 'dry@example.com')}`
        .replace('rand]', '1]')
        .replace('#{rand(1_000_000)}-', '')
      const { plan } = await content(dry)
      const again = await content(dry)
      expect(await content(`# apply: ${plan}`)).toMatchObject({ committed: 'all' })
      expect(await content(`# apply: ${again.plan}`)).toMatchObject({ replayed: true })
    })

    test('is a key of one account', async () => {
      const stranger = await agent.app.another(`once-${name}`)
      await content(making('f', 'own@example.com'))
      const headers = { authorization: `Bearer ${stranger.token}` }
      const { structuredContent } = await agent.execute(making('f', 'own@example.com'), { headers })
      expect(structuredContent).toMatchObject({ committed: 'all' })
      expect(structuredContent).not.toHaveProperty('replayed')
    })

    test('is free again after a day', async () => {
      await content(making('g', 'day@example.com'))
      await agent.app.app.database.transaction(({ db }) =>
        db
          .updateTable('program_results')
          .set({ committed_at: '2026-01-01T00:00:00Z' })
          .where('once_key', 'like', '% g')
          .execute(),
      )
      expect(await content(making('g', 'other-day@example.com'))).toMatchObject({ committed: 'all' })
    })

    test.each([
      '# once:',
      '# once',
      '# once: two words',
      '# once: é',
      `# once: ${'k'.repeat(201)}`,
      '# once: x\n# atomic: false',
    ])('%j is no key', async (comment) => {
      expect(await content(`${comment}\npost("/tags", name: "keyless")["id"]`)).toMatchObject({
        error: { type: 'invalid_program', message: expect.stringContaining('# once:') },
      })
      expect(await agent.tags()).not.toContain('keyless')
    })
  })
})
