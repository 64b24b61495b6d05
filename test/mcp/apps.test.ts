import { beforeAll, describe, expect, it } from 'vitest'
import { INSTRUCTIONS, TOOL_LIST } from '../../src/mcp/endpoint/tool-list.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { askModern, TASKS } from './modern.ts'

const SKILLS = 'io.modelcontextprotocol/skills'
const APPS = 'io.modelcontextprotocol/ui'
const PAGE = 'ui://shopwright/plan'
const PAGE_TYPE = 'text/html;profile=mcp-app'
const VIEW = 'shopwright/view'
const DECLARED = { [APPS]: { mimeTypes: [PAGE_TYPE] } }
const SERVER = { name: 'shopwright', title: 'Shopwright', version: VERSION }
const CODE = 'post("/tags", name: "Planned")["name"]'

describe('The page of plans', () => {
  onGateEngine((shop) => {
    let token: string
    beforeAll(async () => {
      token = await tokenOf(shop, ownerOf(shop), 'propose')
    })

    const endpoint = () => ({ url: shop.running.url, token })
    const modern = (method: string, params: Record<string, unknown> = {}, extensions?: Record<string, object>) =>
      askModern(endpoint(), method, params, extensions && { extensions })
    /** Sends a request of the 2025 protocol. `session` is the session id from `initialize`. */
    const legacy = async (method: string, params: object = {}, session?: string | null) => {
      const response = await fetch(`${shop.running.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(session && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      const text = await response.text()
      return { session: response.headers.get('mcp-session-id'), text, body: JSON.parse(text) as Body }
    }
    const initialize = (extensions?: Record<string, object>) =>
      legacy('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: extensions ? { extensions } : {},
        clientInfo: { name: 'test', version: '1.0.0' },
      })
    const call = { name: 'code_execute', arguments: { code: CODE } }

    it('shows characters that are not seen, which stay in the answer as they are', async () => {
      const { session } = await initialize(DECLARED)
      const planned = { name: 'code_execute', arguments: { code: 'post("/tags", name: "Nо\u202Ete")["name"]' } }
      const { _meta, structuredContent } = (await legacy('tools/call', planned, session)).body.result
      expect(_meta[VIEW]).toContain('Nо⟨U+043E⟩⟨U+202E⟩te')
      expect(_meta[VIEW]).not.toContain('\u202E')
      expect(structuredContent.result).toBe('Nо\u202Ete')
    })

    describe('for a client of 2025 that declares the extension', () => {
      it('is offered for as long as the session that says so, which no replica keeps', async () => {
        const { session, body } = await initialize(DECLARED)
        expect(body.result.capabilities).toEqual({ tools: {}, resources: {}, extensions: { [APPS]: {} } })
        expect(session).toMatch(/^apps-[0-9a-f-]{36}$/)
        expect((await initialize(DECLARED)).session).not.toBe(session)
        const { tools } = (await legacy('tools/list', {}, session)).body.result
        const ui = { resourceUri: PAGE, visibility: ['model'] }
        expect(tools).toEqual([TOOL_LIST[0], { ...TOOL_LIST[1], _meta: { ui } }])
        const { resources } = (await legacy('resources/list', {}, session)).body.result
        expect(resources).toMatchObject([{ uri: PAGE, mimeType: PAGE_TYPE, name: 'plan' }])
        expect((await legacy('resources/templates/list', {}, session)).body.result).toEqual({ resourceTemplates: [] })
      })

      it('is read with a policy that allows no origin', async () => {
        const { session } = await initialize(DECLARED)
        const [content] = (await legacy('resources/read', { uri: PAGE }, session)).body.result.contents
        expect(content).toMatchObject({ uri: PAGE, mimeType: PAGE_TYPE })
        const none = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
        expect(content._meta.ui).toEqual({ csp: none, prefersBorder: true })
        expect(content.text).toMatch(/^<!doctype html>/)
        // Neither markup nor styles refer to another file.
        expect(content.text).not.toMatch(/\b(src|srcset)=|url\(|@import|<link|import\(/)
        const { error } = (await legacy('resources/read', { uri: 'ui://shopwright/other' }, session)).body
        expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(PAGE) })
      })

      it('has what it shows in the _meta of a result, which is the same for the model', async () => {
        const { session } = await initialize(DECLARED)
        const { _meta, ...shown } = (await legacy('tools/call', call, session)).body.result
        const { result: plain } = (await legacy('tools/call', call)).body
        const same = ({ content, ...rest }: Body) =>
          JSON.stringify({ ...rest, content }).replaceAll(/plan_\w+|tag_\w+/g, 'id')
        expect(same(shown)).toBe(same(plain))
        expect(Object.keys(_meta)).toEqual([VIEW])
        expect(_meta[VIEW]).toContain(`/dashboard/my-shop/plans/${shown.structuredContent.plan}`)
        expect((await legacy('tools/call', { name: 'code_search', arguments: { code: '1' } }, session)).body).toEqual({
          jsonrpc: '2.0',
          id: 1,
          result: { content: [{ type: 'text', text: '{"result":1}' }], structuredContent: { result: 1 } },
        })
      })

      it('is not offered where it shows pages of other types', async () => {
        const { session, body } = await initialize({ [APPS]: { mimeTypes: ['text/uri-list'] } })
        expect([session, body.result.capabilities]).toEqual([null, { tools: {} }])
      })
    })

    describe('for a client of 2026-07-28 that declares it with each request', () => {
      it('is offered', async () => {
        const { result } = (await modern('server/discover', {}, DECLARED)).body
        expect(result.capabilities).toEqual({
          tools: {},
          resources: {},
          events: {},
          extensions: { [TASKS]: {}, [SKILLS]: {}, [APPS]: {} },
        })
        const { tools } = (await modern('tools/list', {}, DECLARED)).body.result
        expect(tools[1]._meta.ui.resourceUri).toBe(PAGE)
        const { contents } = (await modern('resources/read', { uri: PAGE }, DECLARED)).body.result
        expect(contents[0].text).toMatch(/^<!doctype html>/)
        const { resources } = (await modern('resources/list', {}, DECLARED)).body.result
        expect(resources).toMatchObject([{ uri: PAGE }, { name: 'shopwright' }])
        expect((await modern('tools/call', call, DECLARED)).body.result._meta[VIEW]).toContain('Waiting')
      })

      it('shows how a call ended that waited for a person', async () => {
        const both = { ...DECLARED, [TASKS]: {} }
        const { taskId } = (await modern('tools/call', call, both)).body.result
        const { pipeline, firstAccount } = shop.running.app
        const caller = { kind: 'session', sessionId: 'session_1', role: 'owner', ...firstAccount! } as const
        const path = `/plans/${taskId}/apply`
        await pipeline.run({ method: 'POST', path, query: {}, body: { note: 'Go.' }, caller, dashboard: true })
        const { result } = (await modern('tasks/get', { taskId }, both)).body.result
        expect(result._meta[VIEW]).toContain('Applied')
        expect((await modern('tasks/get', { taskId }, { [TASKS]: {} })).body.result.result).not.toHaveProperty('_meta')
      })
    })

    describe('costs a client that does not declare it nothing', () => {
      it('in the revisions of 2025', async () => {
        const { session, text } = await initialize()
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: SERVER }
        const initialized = { jsonrpc: '2.0', id: 1, result: { ...result, instructions: INSTRUCTIONS } }
        expect([session, JSON.parse(text)]).toEqual([null, initialized])
        expect(text).toHaveLength(JSON.stringify(initialized).length)
        const tools = (await legacy('tools/list')).text
        expect(tools).toHaveLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: TOOL_LIST } }).length)
        expect(tools).toContain(JSON.stringify(TOOL_LIST))
        expect((await legacy('tools/call', call)).body.result).not.toHaveProperty('_meta')
        for (const method of ['resources/list', 'resources/read', 'resources/templates/list'])
          expect((await legacy(method, { uri: PAGE })).body.error.code).toBe(-32601)
      })

      it('in the revision 2026-07-28, whatever session it names', async () => {
        const { capabilities } = (await modern('server/discover')).body.result
        expect(capabilities).toEqual({
          tools: {},
          resources: {},
          events: {},
          extensions: { [SKILLS]: {}, [TASKS]: {} },
        })
        const headers = { 'mcp-session-id': (await initialize(DECLARED)).session! }
        const { text } = await askModern(endpoint(), 'tools/list', {}, { headers })
        expect(text).toContain(JSON.stringify(TOOL_LIST))
        expect((await modern('resources/read', { uri: PAGE })).body.error).toMatchObject({
          code: -32602,
          data: { uri: PAGE },
        })
        expect((await modern('tools/call', call)).body.result).not.toHaveProperty(['_meta', VIEW])
      })
    })

    it('shows no more of a plan than fits, and says so', async () => {
      const { session } = await initialize(DECLARED)
      const code = `metadata = (1..40).to_h { |n| ["key#{n}", "x" * 300] }
30.times { |n| post("/customers", email: "a#{n}@example.com", metadata: metadata) }
10.times { |n| post("/products", name: "P#{n}", description: "y" * 1000, metadata: metadata) }`
      const { result } = (await legacy('tools/call', { name: 'code_execute', arguments: { code } }, session)).body
      expect(result.structuredContent.plan).toMatch(/^plan_/)
      expect(Buffer.byteLength(result._meta[VIEW])).toBeLessThan(64 * 1024)
      expect(result._meta[VIEW]).toContain('30 customers are created')
      expect(result._meta[VIEW]).toContain('Show all 30')
    })
  })
})
