import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

describe('a request whose connection breaks off', () => {
  let server: Server
  let remove: () => Promise<void>

  beforeAll(async () => {
    const fresh = await freshDirectory()
    remove = fresh.remove
    server = await startServer(environmentOf(fresh.directory, { LOG_LEVEL: 'warn' }))
  })
  afterAll(() => {
    killAll()
    return remove()
  })

  /** Sends the beginning of a request that announces more, and goes away. */
  async function sendPart(path: string, headers: string[], part: string): Promise<void> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${server.token}`, ...headers]
    await new Promise<void>((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n${part}`, () => resolve()))
    // An answered request of another connection: by then the server has begun to read this one.
    await server.api('GET', '/me')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }

  /** Sends a whole request whose client goes away before, or while, it is answered. */
  async function leaveEarly(path: string, headers: string[], body: string, afterBytes: number): Promise<void> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${server.token}`, ...headers]
    socket.write(`${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    if (afterBytes > 0) await once(socket, 'data')
    else await server.api('GET', '/me')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }

  it('is no warning in the log, and the server goes on', async () => {
    const before = server.printed()
    const json = 'Content-Type: application/json'
    for (const path of ['/v1/products', '/mcp']) {
      await sendPart(path, [json, 'Content-Length: 500'], '{"name": "Te')
      await sendPart(path, [json, 'Transfer-Encoding: chunked'], '6\r\n{"name\r\n')
      await sendPart(path, [json, 'Content-Length: 500'], '')
      await sendPart(path, [json, 'Content-Length: 900000'], 'x'.repeat(300_000))
      await sendPart(path, [json, 'Content-Length: 500', 'Content-Encoding: gzip'], '\x1f')
    }
    const program = (code: string) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'code_execute', arguments: { code }, _meta: { progressToken: 1 } },
      })
    const streaming = [json, 'Accept: application/json, text/event-stream']
    for (const accept of [[json], streaming]) await leaveEarly('/mcp', accept, program('loop {}'), 0)
    await leaveEarly('/mcp', streaming, program('100.times { get("/me") }\nloop {}'), 1)
    await leaveEarly('/mcp', [json], program('"x" * 60_000'), 1)
    await leaveEarly('/nowhere', [json], '{}', 0)
    expect((await server.api('GET', '/products')).body.data).toEqual([])
    const { code, stdout, stderr } = await server.stop()
    expect({ code, stderr, printed: stdout }).toEqual({ code: 0, stderr: '', printed: before })
  })
})
