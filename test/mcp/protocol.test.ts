import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { type Agent, startAgent } from './agent.ts'
import { askModern } from './modern.ts'

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
})
afterAll(() => agent.close())

const me = { name: 'test', version: '1.0.0' }
const requestInit = () => ({ requestInit: { headers: { authorization: agent.authorization } } })
const twoCalls = { name: 'code_execute', arguments: { code: 'get("/me")["object"] + get("/account")["object"]' } }

describe.each([
  ['legacy' as const, '2025-11-25'],
  ['auto' as const, '2026-07-28'],
  [{ pin: '2026-07-28' as const }, '2026-07-28'],
])('the client of the second generation, %j', (mode, revision) => {
  test('connects, lists, searches and executes', async () => {
    const client = new Client2(me, { versionNegotiation: { mode } })
    await client.connect(new Http2(new URL(agent.mcpUrl), requestInit()))
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getInstructions()).toContain('code_search')
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['code_search', 'code_execute'])
    const found = await client.callTool({ name: 'code_search', arguments: { code: 'tools.first[:method].class.name' } })
    expect(found.structuredContent).toEqual({ result: 'String' })
    const seen: string[] = []
    const done = await client.callTool(twoCalls, { onprogress: ({ message }) => seen.push(message!) })
    expect(done.structuredContent).toEqual({ result: 'useraccount' })
    expect(seen).toEqual(['GET /me 200', 'GET /account 200'])
    await client.close()
  })
})

test('the client of the first generation connects, pings, lists, searches and executes', async () => {
  const client = new Client1(me)
  await client.connect(new Http1(new URL(agent.mcpUrl), requestInit()) as Transport)
  await client.ping()
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['code_search', 'code_execute'])
  const found = await client.callTool({ name: 'code_search', arguments: { code: '[1, :two, nil]' } })
  expect(found.structuredContent).toEqual({ result: [1, 'two', null] })
  const progress: number[] = []
  const done = await client.callTool(twoCalls, undefined, { onprogress: (seen) => progress.push(seen.progress) })
  expect(done.content).toEqual([{ type: 'text', text: '{"result":"useraccount"}' }])
  expect(progress).toEqual([1, 2])
  await client.close()
})

describe('there is nothing to subscribe to', () => {
  test('so the client of the second generation is told', async () => {
    const client = new Client2(me, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new Http2(new URL(agent.mcpUrl), requestInit()))
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow()
    await client.close()
  })

  const subscription = (protocolVersion: string) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientInfo': me,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { _meta, notifications: { toolsListChanged: true } }
    const headers = { 'mcp-protocol-version': protocolVersion, 'mcp-method': 'subscriptions/listen' }
    return agent.send({ jsonrpc: '2.0', id: 9, method: 'subscriptions/listen', params }, { headers })
  }

  test('as of any unknown method', async () => {
    const response = await subscription('2026-07-28')
    expect(response.headers.get('ratelimit')).toBeTruthy()
    expect([response.status, await response.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 9, error: { code: -32601, message: 'Method not found: subscriptions/listen' } },
    ])
  })

  test('and of an unknown revision first', async () => {
    const response = await subscription('2099-01-01')
    expect([response.status, await response.json()]).toMatchObject([400, { id: 9, error: { code: -32022 } }])
  })
})

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'revision %s is initialized without a session',
  async (revision) => {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: me }
    const response = await agent.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(await response.json()).toMatchObject({
      result: { protocolVersion: revision, serverInfo: { name: 'shopwright' } },
    })
  },
)

test('a client does not read the messages of unexpected errors, which are logged', async () => {
  const { app, url, token, errors, close } = await startApp()
  await app.database.transaction(({ db }) => sql`alter table webhook_endpoints rename to gone`.execute(db))
  const ended = { name: 'tag.created', delivery: { url: 'https://example.com/' } }
  const { error } = (await askModern({ url, token }, 'events/unsubscribe', ended)).body
  expect(error.code).toBe(-32603)
  expect(error.message).toMatch(/^Something went wrong on our side\. .* report request req_\w+\.$/)
  expect(errors).toMatchObject([{ err: { message: expect.stringContaining('webhook_endpoints') } }])
  await close()
})

describe('a bare HTTP client', () => {
  const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
  const isList = { id: 7, result: { tools: [{ name: 'code_search' }, { name: 'code_execute' }] } }

  test.each<Record<string, string>>([
    {},
    { accept: '*/*' },
    { accept: 'text/html' },
    { 'content-type': 'text/plain' },
    { 'mcp-session-id': 'old' },
  ])('gets JSON without initializing, with headers %j', async (headers) => {
    const response = await agent.send(list, { headers })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('ratelimit')).toBeTruthy()
    expect(await response.json()).toMatchObject(isList)
  })

  test('gets a stream only when it asked for progress', async () => {
    const params = { ...twoCalls, _meta: { progressToken: 'p' } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const streamed = await agent.send(message, { headers: { accept: 'application/json, text/event-stream' } })
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect((await streamed.text()).match(/^data: /gm)).toHaveLength(3)
    const whole = await agent.send(message, { headers: { accept: 'application/json' } })
    expect(await whole.json()).toMatchObject({ result: { structuredContent: { result: 'useraccount' } } })
  })

  test('may send the batches of 2025-03-26', async () => {
    const answers = await agent.send([list, { jsonrpc: '2.0', id: 8, method: 'ping' }]).then((r) => r.json())
    expect(answers).toMatchObject([isList, { id: 8, result: {} }])
  })

  test('gets 202 for a notification', async () => {
    const response = await agent.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test.each([
    ['{', 400, -32700],
    ['', 400, -32700],
    ['null', 400, -32600],
    ['[]', 400, -32600],
    [JSON.stringify(Array.from({ length: 21 }, () => list)), 400, -32600],
    ['{"id": 1, "method": "tools/list"}', 400, -32600],
    ['x'.repeat(1_000_001), 413, -32600],
  ])('gets a clean error for the body %.40j', async (body, status, code) => {
    const response = await agent.send(body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  test.each([
    [{ 'content-encoding': 'gzip' }, /encoded with gzip/],
    [{ 'content-type': 'application/json; charset=latin1' }, /is in latin1/],
  ])('gets a clean error for a body with %j', async (headers, sentence) => {
    const response = await agent.send(list, { headers })
    expect([response.status, response.headers.get('ratelimit')]).toEqual([415, expect.stringMatching(/r=/)])
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.stringMatching(sentence) },
    })
  })

  test('is told of an unknown tool and an unknown method', async () => {
    const call = (method: string, params: object) =>
      agent.send({ jsonrpc: '2.0', id: 1, method, params }).then((response) => response.json())
    expect(await call('tools/call', { name: 'code_run' })).toMatchObject({ error: { code: -32602 } })
    expect(await call('resources/list', {})).toMatchObject({ error: { code: -32601 } })
  })
})

test.each(['GET', 'DELETE', 'PUT'])('%s is answered with 405', async (method) => {
  const response = await fetch(agent.mcpUrl, { method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await response.json()).toMatchObject({ error: { code: -32000 } })
})

test.each([undefined, 'Bearer nonsense', 'Basic abc'])(
  'the token %j is refused as REST refuses it',
  async (authorization) => {
    const headers = new Headers(authorization === undefined ? {} : { authorization })
    const response = await fetch(agent.mcpUrl, { method: 'POST', body: '{}', headers })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await response.json()).toMatchObject({ error: { code: 'authentication_required' } })
  },
)

test('pages of other sites are refused, those of the own are not', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await agent.send(list, { headers: { origin: 'http://evil.example' } })).status).toBe(403)
  expect((await agent.send(list, { headers: { origin: new URL(agent.mcpUrl).origin } })).status).toBe(200)
})

test.each([
  'oauth-protected-resource',
  'oauth-protected-resource/mcp',
  'oauth-authorization-server',
  'openid-configuration',
])('/.well-known/%s is not there', async (name) => {
  const response = await fetch(new URL(`/.well-known/${name}`, agent.mcpUrl))
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch('application/json')
})

test.each([
  ['http://localhost:5173', 'http://localhost:5173'],
  ['https://elsewhere.example', null],
])('a page of %s may ask before it calls, and is told', async (origin, allowed) => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name'
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked }
  const response = await fetch(agent.mcpUrl, { method: 'OPTIONS', headers })
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST'])
  expect(response.headers.get('access-control-allow-origin')).toBe(allowed)
  expect(response.headers.get('access-control-allow-headers')?.split(/, ?/)).toEqual(asked.split(','))
})
