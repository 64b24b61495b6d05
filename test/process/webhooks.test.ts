import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory, freshPostgresUrl, testServerUrl } from '../database/engines.ts'
import { times } from '../support/depth.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Environment, environmentOf, killAll, type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/webhooks.ts'

const ROUNDS = { sqlite: times({ gate: 2, deep: 5 }), postgres: times({ gate: 1, deep: 5 }) }
const WRITERS = 4
/** Acknowledged writes of a round, so that the kill comes in the middle of deliveries. */
const ENOUGH = 40
const MOST_AT_ONCE = 4

let receiver: Receiver
const undo: (() => Promise<void>)[] = []
let base: Environment
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
afterEach(async () => {
  killAll()
  for (const step of undo.splice(0)) await step()
})

/** The settings of servers on a fresh database of an engine. */
async function prepare(engine: 'sqlite' | 'postgres'): Promise<string> {
  const fresh = await freshDirectory()
  undo.push(fresh.remove)
  const database = engine === 'postgres' ? await freshPostgresUrl(process.env.TEST_TEMPLATE_DATABASE) : undefined
  if (database) undo.push(database.remove)
  base = {
    DATABASE_URL: database?.url,
    SECRET_KEY: 'a key that all replicas share',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '1',
    // On a busy machine, the receiver can miss the timeout several times.
    WEBHOOK_RETRY_GAPS: '1,1,1,1,1,1,1,1,1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_BURST: '1000000',
  }
  return fresh.directory
}

async function register(server: Server, token: string, path: string): Promise<string> {
  const url = `${receiver.url}${path}`
  const { body } = await server.api('POST', '/webhook_endpoints', { url, enabled_events: ['tag.created'] }, { token })
  return body.id
}

const idsAt = (path: string) => receiver.at(path).map(({ body }) => body.data.id as string)

describe.each(['sqlite', 'postgres'] as const)(
  'a server on %s that is killed between commit and delivery',
  (engine) => {
    it.skipIf(engine === 'postgres' && !testServerUrl)(
      'delivers every committed change at least once, and no other',
      async () => {
        const directory = await prepare(engine)
        const path = `/killed-${engine}-${randomUUID()}`
        receiver.answers.set(path, (response) => setTimeout(() => response.writeHead(200).end(), 5))
        const environment = environmentOf(directory, base)
        const token = await prepareShop(environment)
        const acknowledged = new Set<string>()
        for (let round = 0; round < ROUNDS[engine]; round++) {
          const server = await startServer(environment)
          if (round === 0) await register(server, token, path)
          for (const id of await writeUntilKilled(server, token, round)) acknowledged.add(id)
        }

        const server = await startServer(environment)
        await eventually(async () => {
          const { body } = await server.api('GET', '/webhook_events?status=pending', undefined, { token })
          return body.data.length === 0
        })
        const heard = new Set(idsAt(path))
        expect([...acknowledged].filter((id) => !heard.has(id))).toEqual([])
        const committed = new Set<string>()
        for (let more = true, after = ''; more; ) {
          const { body } = await server.api('GET', `/tags?limit=100${after}`, undefined, { token })
          for (const { id } of body.data) committed.add(id)
          after = `&starting_after=${body.data.at(-1)?.id}`
          more = body.has_more
        }
        expect([...heard].toSorted()).toEqual([...committed].toSorted())
      },
      300_000,
    )
  },
)

async function writeUntilKilled(server: Server, token: string, round: number): Promise<string[]> {
  const made: string[] = []
  let killed = false
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; !killed; turn++) {
      const name = `Tag ${round}/${writer}/${turn}`
      const answer = await server.api('POST', '/tags', { name }, { token }).catch(() => null)
      if (answer?.status === 201) made.push(answer.body.id)
    }
  })
  while (made.length < ENOUGH) await sleep(5)
  await sleep(Math.random() * 50)
  killed = true
  await server.stop('SIGKILL')
  await Promise.all(writers)
  return made
}

describe.skipIf(!testServerUrl)('two replicas on one database', () => {
  it('never send the same delivery twice, nor more than four at a time to one endpoint', async () => {
    const directory = await prepare('postgres')
    // An attempt that a busy machine keeps for longer than its time would rightly be made again.
    const patient = { ...base, WEBHOOK_TIMEOUT_SECONDS: '30' }
    const servers = await Promise.all(
      ['one', 'two'].map((name) => startServer(environmentOf(join(directory, name), patient))),
    )
    const token = servers.map((server) => server.token).find((one) => one !== null)!
    const paths = ['/shared-1', '/shared-2', '/shared-3']
    let most = 0
    for (const path of paths) {
      await register(servers[0]!, token, path)
      let open = 0
      receiver.answers.set(path, (response) => {
        most = Math.max(most, ++open)
        setTimeout(() => {
          open -= 1
          response.writeHead(200).end()
        }, 5)
      })
    }
    const tags: string[] = []
    const writing = servers.flatMap((server, index) =>
      [0, 1, 2].map(async (writer) => {
        for (let turn = 0; turn < 40; turn++) {
          const answer = await server.api('POST', '/tags', { name: `Tag ${index}/${writer}/${turn}` }, { token })
          if (answer.status === 201) tags.push(answer.body.id)
        }
      }),
    )
    await Promise.all(writing)
    for (const path of paths) {
      await receiver.until(tags.length, path)
      expect(idsAt(path).toSorted()).toEqual(tags.toSorted())
    }
    expect(most).toBeLessThanOrEqual(MOST_AT_ONCE)
    // Nothing is sent again when another replica takes the endpoints over.
    await servers[0]!.stop()
    await eventually(async () => {
      const { body } = await servers[1]!.api('GET', '/webhook_events?status=pending', undefined, { token })
      return body.data.length === 0
    })
    for (const path of paths) expect(receiver.at(path)).toHaveLength(tags.length)
    const late = await servers[1]!.api('POST', '/tags', { name: 'Late' }, { token })
    for (const path of paths)
      expect((await receiver.until(tags.length + 1, path)).at(-1)!.body.data.id).toBe(late.body.id)
  }, 300_000)
})
