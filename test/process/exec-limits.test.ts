import { describe, expect, it } from 'vitest'
import { testServerUrl } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { some, times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { shopwright, startServer } from '../support/server.ts'
import { freshEnvironments } from './environments.ts'

const WRITES = times({ gate: 20, deep: 900 })
/** Writes on from a number, and says how far it came in the time that it has; a busy machine needs several runs. */
const SOME = `begun = Time.now
made = ARGV[0].to_i
while made < ${WRITES} && Time.now - begun < 2
  post("/tags", name: "Tag #{made += 1}")
end
made`
/** So few that a second program of a client would be refused. */
const FEW = { RATE_LIMIT_BURST: '2', RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_SLOW_PER_MINUTE: '1' }

// Limits are counted in the same way, whatever holds the data.
describe.each(some(['sqlite', 'postgres'] as const, 1))('a program on the own data, %s', (engine) => {
  const fresh = freshEnvironments()

  describe.skipIf(engine === 'postgres' && !testServerUrl).each(['alone', 'beside a running server'])('%s', (place) => {
    it(`has no rate limit: ${WRITES} writes, and three e-mails`, async () => {
      const environment = await fresh(engine, FEW)
      const token = await prepareShop(environment)
      const server = place === 'alone' ? undefined : await startServer(environment)
      const exec = (code: string, ...args: string[]) => {
        const words = ['exec', '--', ...args]
        return place === 'alone' ? shopwright(words, environment, code).ended : command(words, environment, code)
      }
      for (let made = 0; made < WRITES; ) {
        const { code, stdout, stderr } = await exec(SOME, String(made))
        expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Saved: \d+ tag\.created\n$/) })
        made = Number(stdout)
      }
      const mails = `customer = post("/customers", email: "ada@example.com")
3.times.map { post("/emails", customer: customer["id"], subject: "Hi", text: "Hello")["status"] }.uniq`
      expect(await exec(mails)).toMatchObject({ code: 0, stdout: '[\n  "queued"\n]\n' })
      if (!server) return
      const answers = []
      for (let calls = 0; calls < 3; calls++)
        answers.push((await server.api('GET', '/tags', undefined, { token })).status)
      expect(answers).toEqual([200, 200, 429])
      await server.stop()
    })
  })
})
