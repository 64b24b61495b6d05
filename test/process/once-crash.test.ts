import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const ROUNDS = times({ gate: 2, deep: 4 })
const PROGRAMS = 12

describe('programs with `# once:` on a server that is killed meanwhile', () => {
  let remove: () => Promise<void>
  let environment: Environment
  let token: string

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    environment = environmentOf(fresh.directory, { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
    token = await prepareShop(environment)
  })
  afterAll(() => {
    killAll()
    return remove()
  })

  const keysOf = (round: number) => Array.from({ length: PROGRAMS }, (_, index) => `round-${round}-${index}`)
  /** Its result differs with every run, so that a second run would show. */
  const program = (key: string) => `# once: ${key}\npost("/tags", name: "${key}.#{rand(1_000_000_000)}")["name"]`

  it('take effect once, and answer what was committed', async () => {
    let cutOff = 0
    let server = await startServer(environment)
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await runUntilKilled(server, round)
      cutOff += answers.filter((answer) => answer === null).length
      server = await startServer(environment)
      for (const [index, key] of keysOf(round).entries()) {
        const again = await server.tool('code_execute', program(key), token)
        const replayed = await server.tool('code_execute', program(key), token)
        expect(replayed).toMatchObject({ replayed: true, result: again.result })
        if (answers[index]) expect(again).toMatchObject({ replayed: true, result: answers[index] })
        const { body } = await server.api('GET', `/tags?query=${key}.`, undefined, { token })
        expect(body.data.map((tag: { name: string }) => tag.name)).toEqual([again.result])
      }
    }
    await server.stop()
    expect(cutOff).toBeGreaterThan(0)
  }, 300_000)

  /** The results that arrived; null for a program whose answer never did. */
  async function runUntilKilled(server: Server, round: number): Promise<(string | null)[]> {
    const first = Promise.withResolvers<void>()
    const answers = keysOf(round).map(async (key) => {
      const answer = await server.tool('code_execute', program(key), token).catch(() => null)
      first.resolve()
      return answer?.result ?? null
    })
    await first.promise
    await sleep(Math.random() * 10)
    await server.stop('SIGKILL')
    return Promise.all(answers)
  }
})
