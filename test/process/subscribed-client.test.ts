import { randomBytes } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshDirectory } from '../database/engines.ts'
import { CLIENT, REVISION } from '../mcp/modern.ts'
import { prepareShop } from '../support/prepared.ts'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const PATH = '/events'

describe('A client that subscribed to events', () => {
  let receiver: Receiver
  let directory: string
  let remove: () => Promise<void>
  beforeAll(async () => {
    receiver = await startReceiver()
    ;({ directory, remove } = await freshDirectory())
  })
  afterAll(async () => {
    killAll()
    await receiver.close()
    await remove()
  })

  it('receives an event that was on its way when the server was killed', async () => {
    const environment = environmentOf(directory, { WEBHOOKS_ALLOW_LOOPBACK: 'true' })
    const token = await prepareShop(environment)
    const server = await startServer(environment)
    // The challenge is echoed, and the event stays without an answer.
    receiver.answers.set(PATH, (response, { body }) => {
      if (body.type === 'verification') response.end(JSON.stringify({ challenge: body.challenge }))
    })
    const { id } = await subscribe(server, token)
    const tag = await server.api('POST', '/tags', { name: 'Kept' }, { token })
    const [, before] = await receiver.until(2, PATH)
    server.child.kill('SIGKILL')
    receiver.answers.set(PATH, 200)
    const next = await startServer(environment)
    const [, , after] = await receiver.until(3, PATH)
    expect(after!.body).toEqual(before!.body)
    expect(after!.body).toMatchObject({ name: 'tag.created', data: { id: tag.body.id } })
    expect(after!.headers['x-mcp-subscription-id']).toBe(id)
    expect(() => verify(SECRET, after!)).not.toThrow()
    await next.stop()
  })

  async function subscribe(server: Server, token: string) {
    const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: REVISION } } })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    const params = {
      ...{ name: 'tag.created', arguments: {}, cursor: null },
      delivery: { mode: 'webhook', url: receiver.url + PATH, secret: SECRET },
    }
    const subscribed = await client.request({ method: 'events/subscribe', params }, z.looseObject({ id: z.string() }))
    await client.close()
    return subscribed
  }
})
