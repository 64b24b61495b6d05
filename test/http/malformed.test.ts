import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningApp, startApp } from '../support/app.ts'
import { openSocket, sendRaw } from '../support/raw.ts'

const REQUEST_ID = /^req_[0-9a-z]{26}$/

describe('A request that is not valid HTTP', () => {
  let app: RunningApp
  let authorized: string

  beforeAll(async () => {
    app = await startApp()
    authorized = `Authorization: Bearer ${app.token}\r\n`
  })
  afterAll(async () => {
    await app.close()
    expect(app.errors).toEqual([])
  })

  const get = (path: string, more = '', host = 'Host: localhost\r\n') =>
    `GET ${path} HTTP/1.1\r\n${host}${authorized}${more}\r\n`
  const post = (path: string, more: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorized}Content-Type: application/json\r\n${more}\r\n${body}`

  it('is answered in the form of every error, with an id, and the connection is closed', async () => {
    const invalid: [bytes: string | Uint8Array, status: number, code: string, says: RegExp][] = [
      ['hello\r\n\r\n', 400, 'malformed_request', /does not start with an HTTP method/],
      ['FOO /v1/me HTTP/1.1\r\n\r\n', 400, 'malformed_request', /does not start with an HTTP method/],
      [Buffer.from('16030100c2010000be0303', 'hex'), 400, 'malformed_request', /was HTTPS sent/],
      ['GET /v1/me\0 HTTP/1.1\r\n\r\n', 400, 'malformed_request', /first line or its headers/],
      ['CONNECT other:80 HTTP/1.1\r\nHost: other\r\n\r\n', 400, 'malformed_request', /CONNECT/],
      [get('/v1/me', '', ''), 400, 'malformed_request', /Host is missing/],
      [get('/v1/me', 'Host: other\r\n'), 400, 'malformed_request', /more than one header Host/],
      [get('/v1/me', '', 'Host: a b\r\n'), 400, 'malformed_request', /Host is invalid/],
      [get('/v1/me', `X: ${'a'.repeat(20_000)}\r\n`), 431, 'headers_too_large', /16 KB/],
      [get(`/v1/me?${'a'.repeat(20_000)}`), 431, 'headers_too_large', /16 KB/],
      [get('/v1/me', 'a: 1\r\n'.repeat(3_000)), 431, 'headers_too_large', /16 KB/],
      [post('/v1/tags', 'Content-Length: -5\r\n', '{}'), 400, 'malformed_request', /Content-Length/],
      [
        post('/v1/tags', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
        400,
        'malformed_request',
        /Content-Length/,
      ],
      [
        post('/v1/tags', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
        400,
        'malformed_request',
        /headers are invalid/,
      ],
      [post('/v1/tags', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n'), 400, 'malformed_request', /chunk/],
      [post('/mcp', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n'), 400, 'malformed_request', /chunk/],
    ]
    const ids = new Set<string>()
    for (const [bytes, status, code, says] of invalid) {
      const { body, header, ...answer } = await sendRaw(app.url, bytes)
      expect([String(bytes).slice(0, 40), answer.status, body?.error?.code]).toEqual([
        String(bytes).slice(0, 40),
        status,
        code,
      ])
      expect(body.error.message).toMatch(says)
      expect(body.error.doc_url).toMatch(new RegExp(`/docs/errors/${code}$`))
      expect([header('connection'), header('cache-control')]).toEqual(['close', 'no-store'])
      expect(header('request-id')).toMatch(REQUEST_ID)
      ids.add(header('request-id')!)
    }
    expect(ids.size).toBe(invalid.length)
    expect((await app.api('GET', '/tags')).body.data).toEqual([])
  })

  it('whose client has stopped sending in the middle is told so', async () => {
    for (const path of ['/v1/tags', '/mcp']) {
      const socket = await openSocket(app.url)
      socket.end(post(path, 'Content-Length: 500\r\n', '{"name": "Te'))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      await once(socket, 'close')
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
      expect(text).toContain('it ends in the middle')
    }
  })
})

describe('A request that is unusual', () => {
  let app: RunningApp

  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.close())

  const send = (line: string, headers: string, body = '') =>
    sendRaw(app.url, `${line}\r\n${headers}Authorization: Bearer ${app.token}\r\n\r\n${body}`)

  it('is answered when it is valid', async () => {
    const length = 'Content-Type: application/json\r\nContent-Length: 14\r\n'
    expect((await send('GET /v1/me HTTP/1.0', '')).status).toBe(200)
    expect((await send('GET http://elsewhere/v1/me HTTP/1.1', 'Host: localhost\r\n')).status).toBe(200)
    expect((await send('GET /v1/me HTTP/1.1', 'Host: a\r\nConnection: upgrade\r\nUpgrade: x\r\n')).status).toBe(200)
    const odd = await send('POST /v1/tags HTTP/1.1', `Host: a\r\nExpect: tea\r\n${length}`, '{"name":"Tea"}')
    expect([odd.status, odd.body.name]).toEqual([201, 'Tea'])
    const asks = await send('POST /v1/tags HTTP/1.1', `Host: a\r\nExpect: 100-continue\r\n${length}`, '{"name":"Two"}')
    expect(asks.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })
})
