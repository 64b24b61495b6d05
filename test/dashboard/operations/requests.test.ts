import { beforeAll, describe, expect, it } from 'vitest'
import { RequestLog } from '../../../src/pipeline/request-log.ts'
import { type DashboardUser, ownerOf } from '../../support/dashboard.ts'
import { type Body, onGateEngine } from '../../support/shop.ts'

describe('The log of requests', () => {
  onGateEngine((shop) => {
    let owner: DashboardUser

    beforeAll(async () => {
      owner = await ownerOf(shop)
    })

    const logged = async (query: object) => (await owner.get('/api_requests', { ...query })).data as Body[]
    const soon = (query: object) => expect.poll(async () => (await logged(query))[0], { timeout: 10_000 })

    it('says what was asked over REST, by whom, and what was wrong, without values', async () => {
      const { value, id } = await owner.post('/api_tokens', { name: 'Logged' })
      const answer = await shop.api(
        'POST',
        '/products?expand=secret-query',
        { name: '', price: 'hidden' },
        { token: value },
      )
      await soon({ token_id: id }).toMatchObject({
        id: answer.headers.get('request-id'),
        transport: 'rest',
        method: 'POST',
        path: '/v1/products',
        operation: 'create_product',
        status: answer.status,
        error_code: answer.body.error.code,
        token_name: 'Logged',
      })
      const [row] = await logged({ token_id: id })
      expect(JSON.stringify(row)).not.toMatch(/limit=5|hidden/)
      expect(row!.duration_ms).toBeGreaterThanOrEqual(0)
      expect(await owner.get(`/api_requests/${row!.id}`)).toMatchObject({ id: row!.id })
    })

    it('says what agents asked', async () => {
      const { value, id } = await owner.post('/api_tokens', { name: 'Agent' })
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'code_execute', arguments: { code: '1' } },
      }
      const headers = { Authorization: `Bearer ${value}`, Accept: 'application/json, text/event-stream' }
      await fetch(`${shop.running.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(call),
      })
      await soon({ token_id: id }).toMatchObject({
        transport: 'mcp',
        path: '/mcp',
        operation: 'code_execute',
        status: 200,
      })
    })

    it('filters, and shows nothing of other accounts', async () => {
      await shop.api('GET', '/nowhere')
      await soon({ error_code: 'resource_missing' }).toMatchObject({ path: '/v1/nowhere', operation: null })
      expect(await logged({ status: { gte: 500 } })).toEqual([])
      const [own] = await logged({})
      const stranger = await ownerOf(shop.as(await shop.running.another('not-logged')))
      expect((await stranger.get('/api_requests')).data).toEqual([])
      expect((await stranger.try('GET', `/api_requests/${own!.id}`))[0]).toBe(404)
    })

    it('keeps a bounded number a second, and all failures among them', async () => {
      const log = new RequestLog(shop.running.app.database, (error) => {
        throw error
      })
      const caller = { ...owner.caller, kind: 'token', tokenId: 'token_busy', right: 'write' } as never
      const one = { caller, transport: 'rest', method: 'GET', operation: null, error: null, durationMs: 1 } as const
      for (let count = 0; count < 1_000; count++)
        log.record({
          ...one,
          id: `req_busy${String(count).padStart(5, '0')}`,
          path: '/v1/busy',
          status: count % 20 ? 200 : 404,
        })
      await log.settled()
      const rows = await shop.db.selectFrom('api_requests').selectAll().where('path', '=', '/v1/busy').execute()
      expect(rows.filter(({ status }) => status === 404).length).toBe(50)
      expect(rows.filter(({ status }) => status === 200).length).toBe(100)
      expect(rows.reduce((sum, row) => sum + row.left_out, rows.length)).toBe(1_000)
    })
  })
})
