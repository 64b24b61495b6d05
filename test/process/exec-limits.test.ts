import { describe, expect, it } from 'vitest'
import { testServerUrl } from '../database/engines.ts'
import { shopwright, startServer } from '../support/server.ts'
import { freshEnvironments } from './environments.ts'

const WRITES = 300
/** So few that a second program of a client would be refused. */
const FEW = { RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_SLOW_PER_MINUTE: '1' }

describe.each(['sqlite', 'postgres'] as const)('a program on the own data, %s', (engine) => {
  const fresh = freshEnvironments()

  describe.skipIf(engine === 'postgres' && !testServerUrl).each(['alone', 'beside a running server'])('%s', (place) => {
    it('has no rate limit: 900 writes, and three e-mails', async () => {
      const environment = await fresh(engine, FEW)
      const server = await startServer(environment)
      if (place === 'alone') await server.stop()
      const exec = (code: string) => shopwright(['exec'], environment, code).ended
      for (const part of ['one', 'two', 'three'])
        expect(await exec(`${WRITES}.times { |n| post("/tags", name: "${part} #{n}") }\nnil`)).toMatchObject({
          code: 0,
          stderr: `Kept: ${WRITES} tag.created\n`,
        })
      const mails = `customer = post("/customers", email: "ada@example.com")
3.times.map { post("/emails", customer: customer["id"], subject: "Hi", text: "Hello")["status"] }.uniq`
      expect(await exec(mails)).toMatchObject({ code: 0, stdout: '[\n  "queued"\n]\n' })
      if (place === 'alone') return
      const answers = []
      for (let calls = 0; calls < 3; calls++) answers.push((await server.api('GET', '/tags')).status)
      expect(answers).toEqual([200, 200, 429])
      await server.stop()
    })
  })
})
