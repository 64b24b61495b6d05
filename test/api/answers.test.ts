import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'

const SECRET_KEY = 'a secret that only tests know'
const PAGES = ['/', '/docs/errors', '/docs/errors/invalid_json', '/v1/openapi.json', '/healthz', '/readyz']
const REQUEST_ID = /^req_[0-9a-z]{26}$/

describe('Every answer', () => {
  onGateEngine(
    (shop) => {
      const at = (path: string, init: RequestInit = {}) => fetch(`${shop.running.url}${path}`, init)
      const authorized = () => ({ Authorization: `Bearer ${shop.running.token}` })

      it('has the id of its request', async () => {
        const mcp = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers: authorized() }
        const answers = await Promise.all([
          ...PAGES.flatMap((path) => ['GET', 'HEAD', 'OPTIONS', 'PUT'].map((method) => at(path, { method }))),
          ...['/nowhere', '/docs/errors/unknown', '/.well-known/oauth-protected-resource', '/v1', '/v1/x'].map((path) =>
            at(path),
          ),
          ...[{}, mcp, { ...mcp, body: '{' }, { method: 'OPTIONS' }, { method: 'POST' }].map((init) =>
            at('/mcp', init),
          ),
        ])
        const ids = answers.map((answer) => answer.headers.get('request-id'))
        for (const id of ids) expect(id).toMatch(REQUEST_ID)
        expect(new Set(ids).size).toBe(answers.length)
      })

      it('names the methods of a page that can only be read', async () => {
        for (const path of PAGES) {
          const [got, headed] = [await at(path), await at(path, { method: 'HEAD' })]
          expect([path, got.status, headed.status, await headed.text()]).toEqual([path, 200, 200, ''])
          const asked = await at(path, { method: 'OPTIONS' })
          expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
          for (const method of ['POST', 'PUT', 'DELETE']) {
            const refused = await at(path, { method })
            expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
            const { error } = (await refused.json()) as { error: { code: string; message: string } }
            expect(error.code).toBe('method_not_allowed')
            expect(error.message).toBe(`${method} is not allowed on ${path}. Allowed: GET, HEAD, OPTIONS`)
          }
        }
      })

      it('is kept by nobody when it needed a token or is an error', async () => {
        const mcp = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers: authorized() }
        const answers = [
          await at('/v1/products', { headers: authorized() }),
          await at('/v1/products'),
          await at('/v1/nowhere', { headers: authorized() }),
          await at('/nowhere'),
          await at('/', { method: 'PUT' }),
          await at('/mcp', mcp),
          await at('/mcp', { method: 'POST' }),
          await at('/mcp'),
          await at('/.well-known/oauth-protected-resource'),
        ]
        expect(answers.map((answer) => answer.headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
      })

      it('is not sent again to one who has the API description', async () => {
        const first = await at('/v1/openapi.json')
        const etag = first.headers.get('etag')!
        expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{43}"$/)])
        const ask = (held: string, method = 'GET') =>
          at('/v1/openapi.json', { method, headers: { 'If-None-Match': held } })
        for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const again = await ask(held)
          expect([held, again.status, await again.text(), again.headers.get('etag')]).toEqual([held, 304, '', etag])
          expect(again.headers.get('request-id')).toMatch(REQUEST_ID)
        }
        expect((await ask(etag, 'HEAD')).status).toBe(304)
        expect((await ask('"other"')).status).toBe(200)
      })

      describe('to a request with a body', () => {
        let fresh: Shop

        beforeEach(async () => {
          const { database, firstAccount } = shop.running.app
          const { value } = await createToken(database, SECRET_KEY, firstAccount!, { name: 'Fresh' })
          fresh = shop.as({ accountId: shop.accountId, token: value })
        })

        it('counts it and says what is left, whatever is wrong with it', async () => {
          const send = (raw: string | Uint8Array, headers = {}, path = '/products') =>
            fresh.api('POST', path, undefined, { raw, headers })
          const answers = [
            await send('{'),
            await send(`{"name": "${'a'.repeat(1_000_001)}"}`),
            await send('[]'),
            await send('name=Tea', { 'Content-Type': 'application/x-www-form-urlencoded' }),
            await send('{}', {}, '/products?query=%00'),
            await send('{}', {}, '/nowhere'),
          ]
          expect(answers.map((answer) => answer.status)).toEqual([400, 413, 400, 415, 400, 404])
          const left = answers.map((answer) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit')!)![1]))
          expect(left).toEqual(left.map((_, index) => left[0]! - index))
          for (const { headers } of answers) {
            expect(headers.get('ratelimit-policy')).toBe('"default";q=1;w=60')
            expect(headers.get('request-id')).toMatch(REQUEST_ID)
          }
          let refused = await send('{')
          while (refused.status !== 429) refused = await send('{')
          expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
        })
      })
    },
    { SECRET_KEY, RATE_LIMIT_PER_MINUTE: '1', RATE_LIMIT_BURST: '30' },
  )

  onGateEngine((shop) => {
    it('takes JSON in UTF-8 and no other kind of body', async () => {
      const send = (headers: Record<string, string>, raw: string | Uint8Array = '{"name": "Tea"}') =>
        shop.api('POST', '/products', undefined, { raw, headers })
      for (const type of [
        'application/json',
        'Application/JSON; charset=UTF-8',
        'application/merge-patch+json; charset="utf8"',
      ]) {
        expect([type, (await send({ 'Content-Type': type })).status]).toEqual([type, 201])
      }
      expect((await send({ 'Content-Encoding': 'identity' })).status).toBe(201)
      const refused: [Record<string, string>, RegExp][] = [
        [{ 'Content-Type': 'text/plain' }, /is text\/plain. Send JSON/],
        [{ 'Content-Type': 'application/x-www-form-urlencoded' }, /--json/],
        [{ 'Content-Type': 'application/jsonp' }, /Send JSON/],
        [{ 'Content-Type': 'application/json; charset=latin1' }, /is in latin1. Send it in UTF-8/],
        [{ 'Content-Type': 'application/json; charset=utf-16' }, /is in utf-16. Send it in UTF-8/],
        [{ 'Content-Encoding': 'gzip' }, /encoded with gzip. Send it uncompressed/],
      ]
      for (const [headers, sentence] of refused) {
        const raw = headers['Content-Encoding'] ? gzipSync('{"name": "Tea"}') : undefined
        const { status, body } = await send(headers, raw)
        expect([headers, status, body.error.code]).toEqual([headers, 415, 'unsupported_media_type'])
        expect(body.error.message).toMatch(sentence)
      }
    })

    it('notices what is not UTF-8 though no header says so, over both transports', async () => {
      const texts = {
        '/v1/tags': '{"name": "Tea"}',
        '/mcp': '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"name": "Tea"}}',
      }
      for (const [path, text] of Object.entries(texts)) {
        const send = (body: Uint8Array) => {
          const headers = { Authorization: `Bearer ${shop.running.token}`, 'Content-Type': 'application/json' }
          return fetch(`${shop.running.url}${path}`, { method: 'POST', headers, body: body as BodyInit })
        }
        const bytes: [Uint8Array, status: number, says: RegExp][] = [
          [gzipSync(text), 415, /is compressed with gzip/],
          [Buffer.from(text, 'utf16le'), 415, /is in UTF-16/],
          [Buffer.from(`\ufeff${text}`, 'utf16le'), 415, /is in UTF-16/],
          [Buffer.from(text, 'utf16le').swap16(), 415, /is in UTF-16/],
          [Buffer.from(text.replace('Tea', 'Caf\u00e9'), 'latin1'), 400, /has bytes that are not UTF-8/],
          [Buffer.from(text.slice(0, -1)), 400, /is not JSON in UTF-8: /],
        ]
        for (const [body, status, says] of bytes) {
          const answer = await send(body)
          const { error } = (await answer.json()) as { error: { message: string } }
          expect([path, says, answer.status]).toEqual([path, says, status])
          expect(error.message).toMatch(says)
        }
        expect([path, (await send(Buffer.from(`\ufeff${text}`))).ok]).toEqual([path, true])
      }
      expect(await shop.listed('/tags', 'name')).toEqual(['Tea'])
    })

    it('takes a body without a Content-Type as JSON, and asks for none where there is no body', async () => {
      const headers = { Authorization: `Bearer ${shop.running.token}` }
      const send = (path: string, init: RequestInit) =>
        fetch(`${shop.running.url}/v1${path}`, { method: 'POST', ...init })
      const bytes = new TextEncoder().encode('{"name": "Tea"}')
      expect((await send('/products', { headers, body: bytes })).status).toBe(201)
      const { id } = await shop.product()
      const patched = await send(`/products/${id}`, {
        method: 'PATCH',
        headers: { ...headers, 'Content-Type': 'text/plain' },
      })
      expect(patched.status).toBe(200)
    })
  })
})
