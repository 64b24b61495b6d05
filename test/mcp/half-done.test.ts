import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEngines } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'

const REFUSED: [verb: string, call: string][] = [
  ['post', 'post("/tags", name: "")'],
  ['patch', 'patch("/tags/tag_unknown", name: "x")'],
  ['delete', 'delete("/tags/tag_unknown")'],
]
const LOOKS: [way: string, code: (refused: string) => string][] = [
  ['["error"]', (refused) => `${refused}["error"]`],
  ['[:error]', (refused) => `${refused}[:error]`],
  ['key?', (refused) => `${refused}.key?("error")`],
  ['dig', (refused) => `${refused}.dig("error", "code")`],
  ['fetch', (refused) => `${refused}.fetch("error")`],
  ['pattern matching', (refused) => `case ${refused}\nin {error: {code:}} then code\nend`],
  ['printing', (refused) => `puts ${refused}`],
  ['rescuing what asking raises', (refused) => `begin\n${refused}["id"]\nrescue => error\nnil\nend`],
]
const OVERLOOKS: [way: string, code: (refused: string) => string][] = [
  ['going on', (refused) => `${refused}\n1`],
  ['returning it', (refused) => refused],
  ['returning it inside a value', (refused) => `{ made: ${refused} }`],
  ['testing it for truth', (refused) => `${refused} ? 1 : 2`],
]

describe.each(onEngines)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a program that writes', () => {
    let agent: Agent
    let made = 0
    beforeAll(async () => {
      agent = await startAgent({ engine: name })
    })
    afterAll(() => agent.close())

    const afterWriting = async (code: string, comment = '') => {
      const tag = `made ${++made}`
      const { structuredContent } = await agent.execute(`${comment}post("/tags", name: "${tag}")["id"]\n${code}`)
      return { answer: structuredContent, kept: (await agent.tags()).includes(tag) }
    }

    describe.each(REFUSED)('and looked at a refused %s', (_, refused) => {
      test.each(LOOKS)('by %s keeps what it wrote', async (_, look) => {
        const { answer, kept } = await afterWriting(`${look(refused)}\n1`)
        expect([answer.error, answer.committed, kept]).toEqual([undefined, 'all', true])
      })
    })

    describe.each(REFUSED)('and never looked at a refused %s', (verb, refused) => {
      test.each(OVERLOOKS)('by %s keeps nothing', async (_, overlook) => {
        const { answer, kept } = await afterWriting(overlook(refused))
        expect(answer).toMatchObject({
          committed: 'none',
          error: {
            type: 'refusal_overlooked',
            line: 2,
            message: expect.stringContaining(`${verb.toUpperCase()} /tags`),
            hint: expect.stringContaining('["error"]'),
          },
        })
        expect(kept).toBe(false)
      })
    })

    test('may overlook a refused read', async () => {
      expect((await afterWriting('get("/tags/tag_unknown")\n1')).kept).toBe(true)
    })

    test('is judged in a dry run as it would be', async () => {
      const { answer } = await afterWriting('post("/tags", name: "")\n1', '# dry_run: true\n')
      expect(answer).toMatchObject({ error: { type: 'refusal_overlooked' }, committed: 'none' })
      expect(answer).not.toHaveProperty('plan')
    })

    test('is warned when its calls commit by themselves', async () => {
      const { answer, kept } = await afterWriting('post("/tags", name: "")\n1', '# atomic: false\n')
      expect(answer.warnings).toEqual([expect.stringContaining('the program ignored it')])
      expect(kept).toBe(true)
    })

    describe.each(REFUSED)('nothing else and was refused a %s', (_, refused) => {
      test.each(OVERLOOKS)('answers an error by %s, unless the refusal is in its value', async (way, overlook) => {
        const { structuredContent } = await agent.execute(overlook(refused))
        if (way.startsWith('returning')) expect(JSON.stringify(structuredContent.result)).toContain('"error"')
        else expect(structuredContent).toMatchObject({ committed: 'none', error: { type: 'refusal_overlooked' } })
      })
    })

    test('may return a refusal as its value when it wrote nothing, as REST would', async () => {
      const { structuredContent } = await agent.execute('post("/tags", name: "")')
      expect(structuredContent).toEqual({ result: { error: expect.objectContaining({ code: 'validation_failed' }) } })
    })

    test('says what it kept, and each resource once', async () => {
      const { answer } = await afterWriting(`tag = post("/tags", name: "twice")
patch("/tags/#{tag["id"]}", name: "renamed")
patch("/tags/#{tag["id"]}", color: "#ffffff")["color"]`)
      expect(answer).toEqual({ committed: 'all', changed: { 'tag.created': 2 }, result: '#ffffff' })
    })
  })
})
