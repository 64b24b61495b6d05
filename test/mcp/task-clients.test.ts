import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../support/app.ts'
import type { Body } from '../support/shop.ts'
import { type Agent, startAgent } from './agent.ts'
import { askModern, CLIENT, REVISION, TASKS } from './modern.ts'

let agent: Agent
let token: string
beforeAll(async () => {
  agent = await startAgent()
  const { database, firstAccount } = agent.app.app
  token = (await createToken(database, SECRET_KEY, firstAccount!, { name: 'Agent', right: 'propose' })).value
})
afterAll(() => agent.close())

/** The client of the second generation, in the newest revision. */
async function connected(): Promise<Client> {
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: REVISION } } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(agent.mcpUrl), { requestInit }))
  return client
}

/** A session of the extension's own client. */
async function taskSession(client: Client): Promise<Body> {
  const { createTaskSessionFromClient } = await import('@modelcontextprotocol/ext-tasks/client')
  const rawDispatch = async (request: Body) => {
    const { _meta, ...params } = request.params
    const { extensions } = _meta['io.modelcontextprotocol/clientCapabilities']
    const { body } = await askModern({ url: agent.app.url, token }, request.method, params, { extensions })
    return body.error ? { kind: 'error', error: body.error } : { kind: 'result', result: body.result }
  }
  const v2RequestFraming = { protocolVersion: REVISION, clientInfo: CLIENT, clientCapabilities: {} }
  const options: Body = { endpointId: 'shop', rawDispatch, v2RequestFraming }
  return createTaskSessionFromClient(client, options)
}

const propose = (session: Body, name: string): Promise<Body> =>
  session.callTool('code_execute', { code: `post("/tags", name: "${name}")["name"]` })

async function waitingPlan(): Promise<string> {
  const plans = agent.app.app.database.read.selectFrom('program_plans').select('id').where('state', '=', 'open')
  const { id } = await plans.orderBy('id', 'desc').executeTakeFirstOrThrow()
  return id
}

test('the client of the extension ends its call when a person applies the plan, or cancels it', async () => {
  const client = await connected()
  const session = await taskSession(client)
  expect(client.getServerCapabilities()?.extensions).toMatchObject({ [TASKS]: {} })
  const applied = await propose(session, 'by a client')
  const { firstAccount, pipeline } = agent.app.app
  const caller = { kind: 'session', sessionId: 'session_1', role: 'owner', ...firstAccount! } as const
  const path = `/plans/${await waitingPlan()}/apply`
  await pipeline.run({ method: 'POST', path, query: {}, body: { note: 'Fine.' }, caller, dashboard: true })
  const { outcome } = await applied.settle()
  expect(JSON.stringify(outcome)).toContain('"result":"by a client"')
  expect(JSON.stringify(outcome)).toContain('"note":"Fine."')
  const canceled = await propose(session, 'canceled')
  const plan = await waitingPlan()
  await canceled.cancel()
  const found = agent.app.app.database.read.selectFrom('program_plans').select('state').where('id', '=', plan)
  expect(await found.executeTakeFirstOrThrow()).toEqual({ state: 'withdrawn' })
  await session.close()
}, 30_000)

test('the client of the second generation is answered at once as long as it does not declare it', async () => {
  const client = await connected()
  const code = 'post("/tags", name: "plain client")["name"]'
  const answer = await client.callTool({ name: 'code_execute', arguments: { code } })
  expect(answer.structuredContent).toMatchObject({ result: 'plain client', dry_run: true })
  await client.close()
})
