import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { readSettings } from '../../src/settings/config.ts'
import { freshDirectory } from '../database/engines.ts'
import { attach, environmentOf, killAll, launch, type Server, startServer } from '../support/server.ts'

/** After this long a server ends connections that are still busy. */
const GRACE_MS = 25_000

const PROGRAM = `post('/products', name: 'Made while the server stops')
n = 0
300_000.times { n += 1 }
n`

describe('a server that is asked to stop', () => {
  let directory: string
  let remove: () => Promise<void>
  let server: Server

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
    server = await startServer(environmentOf(directory))
  })
  afterEach(() => {
    killAll()
    return remove()
  })

  it('finishes a request under way, takes no further one, and keeps what it wrote', async () => {
    const body = JSON.stringify({ name: 'Slowly sent' })
    const slow = await halfSent(server, body)
    server.child.kill('SIGTERM')
    await refusesConnections(server)
    slow.finish()
    expect(await slow.answer).toMatch(/^HTTP\/1\.1 201 /)
    const before = performance.now()
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
    expect(performance.now() - before).toBeLessThan(GRACE_MS)
    expect(await productNames(directory)).toEqual(['Slowly sent'])
  })

  it('by SIGTERM finishes a program under way', async () => {
    const answer = await startProgram(server, PROGRAM)
    const ended = server.stop()
    expect(await answer).toMatch('"result":300000')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(await productNames(directory)).toEqual(['Made while the server stops'])
  })

  it('ends at once when it is asked again', async () => {
    await halfSent(server, '{"name":"Never sent"}')
    server.child.kill('SIGINT')
    await refusesConnections(server)
    await sleep(1_000)
    const { code } = await server.stop('SIGINT')
    expect(code).toBe(130)
  })

  it('by SIGINT ends with exit code 0, and does not wait for connections without a request', async () => {
    const idle = connect({ host: '127.0.0.1', port: portOf(server) })
    await new Promise((resolve) => idle.once('connect', resolve))
    const before = performance.now()
    expect(await server.stop('SIGINT')).toMatchObject({ code: 0, signal: null, stderr: '' })
    expect(performance.now() - before).toBeLessThan(GRACE_MS)
  })
})

describe('npm start', () => {
  it('finishes a request under way when Ctrl-C reaches npm and the server together', async () => {
    const { directory, remove } = await freshDirectory()
    const npm = launch('setsid', ['npm', 'start'], environmentOf(directory))
    const server = await attach(npm)
    const slow = await halfSent(server, '{"name":"Slowly sent"}')
    process.kill(-npm.child.pid!, 'SIGINT')
    await refusesConnections(server)
    slow.finish()
    expect(await slow.answer).toMatch(/^HTTP\/1\.1 201 /)
    await npm.ended
    expect(await productNames(directory)).toEqual(['Slowly sent'])
    await remove()
  })

  it('stops the server too when a SIGTERM reaches npm alone', async () => {
    const { directory, remove } = await freshDirectory()
    const server = await attach(launch('npm', ['start'], environmentOf(directory)))
    await server.stop('SIGTERM')
    const again = await startServer(environmentOf(directory))
    expect((await again.stop()).code).toBe(0)
    await remove()
  })
})

function portOf({ url }: Server): number {
  return Number(new URL(url).port)
}

/** A request to create a product whose last byte is yet to be sent. */
async function halfSent(server: Server, body: string) {
  const socket = connect({ host: '127.0.0.1', port: portOf(server) })
  let received = ''
  const answer = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  socket.on('error', () => {})
  socket.on('data', (text) => {
    received += text
  })
  const head = ['POST /v1/products HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${server.token}`]
  head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The server has the request in hand once it asks for the body.
  while (!received.includes('100 Continue')) await new Promise((resolve) => socket.once('data', resolve))
  received = ''
  socket.write(body.slice(0, -1))
  return { answer, finish: () => socket.write(body.slice(-1)) }
}

/** Starts a program; resolves once its first call was answered, to the promise of the whole answer. */
async function startProgram(server: Server, code: string): Promise<Promise<string>> {
  const params = { name: 'code_execute', arguments: { code }, _meta: { progressToken: 'one' } }
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${server.token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    const { done, value = '' } = await reader.read()
    text += value
    return !done
  }
  while (!text.includes('notifications/progress') && (await read()));
  return (async () => {
    while (await read());
    return text
  })()
}

async function refusesConnections(server: Server): Promise<void> {
  const refused = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: portOf(server) })
      socket.once('connect', () => resolve(socket.destroy() === undefined))
      socket.once('error', () => resolve(true))
    })
  while (!(await refused())) await sleep(20)
}

function productNames(directory: string): Promise<string[]> {
  return withDatabase(readSettings(environmentOf(directory)), async ({ read }) => {
    const rows = await read.selectFrom('products').select('name').execute()
    return rows.map(({ name }) => name)
  })
}
