import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/webhooks.ts'

const FILE_BYTES = 24 * 1024 * 1024

describe('a server that is asked to stop while it works', () => {
  let directory: string
  let remove: () => Promise<void>
  let receiver: Receiver

  beforeEach(async () => {
    ;({ directory, remove } = await freshDirectory())
    receiver = await startReceiver()
  })
  afterEach(async () => {
    killAll()
    await receiver.close()
    await remove()
  })

  const start = (more = {}) =>
    startServer(environmentOf(directory, { WEBHOOKS_ALLOW_LOOPBACK: 'true', LOG_LEVEL: 'info', ...more }))

  it('waits for the answer to a delivery, and notes it', async () => {
    const server = await start()
    const answer = Promise.withResolvers<void>()
    receiver.answers.set('/slow', (response) => void answer.promise.then(() => response.end('thanks')))
    await server.api('POST', '/webhook_endpoints', { url: `${receiver.url}/slow`, enabled_events: ['tag.created'] })
    await server.api('POST', '/tags', { name: 'VIP' })
    await receiver.until(1, '/slow')
    const ended = server.stop()
    // Longer than a process that is not asked to be patient would wait.
    await delay(3_000)
    answer.resolve()
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/"outcome":"delivered".*A delivery was attempted/)
    const next = await start()
    const { body } = await next.api('GET', '/webhook_events', undefined, { token: server.token! })
    expect(body.data.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts])).toEqual([
      ['delivered', 1],
    ])
    await next.stop()
  })

  it('sends a download to its end', async () => {
    const server = await start()
    const file = (await server.api('POST', '/files', { filename: 'film.bin', size: FILE_BYTES })).body
    const bytes = new Uint8Array(FILE_BYTES).fill(7)
    await fetch(server.url + new URL(file.upload_url).pathname, { method: 'PUT', body: bytes })
    const { body } = await server.api('POST', `/files/${file.id}/uploaded`)
    const response = await fetch(server.url + new URL(body.file_url).pathname)
    const reader = response.body!.getReader()
    let received = (await reader.read()).value!.length
    const ended = server.stop()
    await delay(500)
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.length
    expect(received).toBe(FILE_BYTES)
    expect(await ended).toMatchObject({ code: 0 })
  })

  it('says first that it is not ready and goes on for DRAIN_SECONDS, and no idle connection holds it', async () => {
    const server = await start({ DRAIN_SECONDS: '2' })
    const idle = await keptAlive(server)
    server.child.kill('SIGTERM')
    await eventually(async () => (await fetch(`${server.url}/readyz`)).status === 503)
    const { body } = await server.api('GET', '/products')
    expect(body.data).toEqual([])
    const began = performance.now()
    expect(await server.ended).toMatchObject({ code: 0 })
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(idle.destroyed || idle.readableEnded).toBe(true)
  })

  it('ends with 0 after STOP_SECONDS even when what runs does not end', async () => {
    const server = await start({ STOP_SECONDS: '1', WEBHOOK_TIMEOUT_SECONDS: '30' })
    receiver.answers.set('/never', () => {})
    await server.api('POST', '/webhook_endpoints', { url: `${receiver.url}/never`, enabled_events: ['tag.created'] })
    await server.api('POST', '/tags', { name: 'VIP' })
    await receiver.until(1, '/never')
    const began = performance.now()
    expect(await server.stop()).toMatchObject({ code: 0 })
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})

/** A connection that has had an answer and waits for its next request. */
async function keptAlive({ url }: Server): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resume()
  return socket
}
