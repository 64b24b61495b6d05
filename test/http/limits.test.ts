import { once } from 'node:events'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { Connections } from '../../src/http/connections.ts'
import { connectionLimits } from '../../src/http/limits.ts'
import { type Listening, listen } from '../../src/http/listen.ts'
import { allowLong } from '../../src/http/long-requests.ts'
import { answerOn, openSocket } from '../support/raw.ts'

describe('A connection', () => {
  let listening: Listening
  afterEach(() => listening.stop())

  async function serverWith(limits: Partial<typeof connectionLimits>): Promise<string> {
    listening = await listen('127.0.0.1', 0, { limits: { ...connectionLimits, ...limits } })
    listening.serve(async (request) => new Response(String((await request.arrayBuffer()).byteLength)))
    return `http://127.0.0.1:${listening.port}`
  }

  it('on which headers trickle is closed', async () => {
    const socket = await openSocket(await serverWith({ headersMs: 200 }))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
    const trickle = setInterval(() => socket.write('x: 1\r\n'), 50)
    const answer = await answerOn(socket)
    clearInterval(trickle)
    expect([answer.status, answer.body.error.code]).toEqual([408, 'request_timeout'])
    expect(answer.header('request-id')).toMatch(/^req_/)
  })

  it('on which a body trickles is closed, announced or in chunks', async () => {
    const url = await serverWith({ headersMs: 200, requestMs: 400 })
    const bodies: [header: string, bytes: string][] = [
      ['Content-Length: 900000', 'x'],
      ['Transfer-Encoding: chunked', '1\r\nx\r\n'],
    ]
    for (const [header, bytes] of bodies) {
      const socket = await openSocket(url)
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`)
      const trickle = setInterval(() => socket.write(bytes), 50)
      const answer = await answerOn(socket)
      clearInterval(trickle)
      expect([header, answer.status, answer.body.error.code]).toEqual([header, 408, 'request_timeout'])
    }
  })

  it('on which a body trickles stays open where it is allowed to take long', async () => {
    listening = await listen('127.0.0.1', 0, { limits: { ...connectionLimits, requestMs: 200 } })
    listening.serve(async (request, bindings) => {
      allowLong(bindings?.incoming)
      return new Response(String((await request.arrayBuffer()).byteLength))
    })
    const socket = await openSocket(`http://127.0.0.1:${listening.port}`)
    socket.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n')
    for (let sent = 0; sent < 10; sent++) {
      await delay(50)
      socket.write('x')
    }
    expect((await answerOn(socket)).body).toBe('10')
    socket.destroy()
  })

  it('on which a body trickles is closed after the longer time that it was allowed', async () => {
    listening = await listen('127.0.0.1', 0, { limits: { ...connectionLimits, requestMs: 100 } })
    listening.serve(async (request, bindings) => {
      allowLong(bindings?.incoming, 600)
      return new Response(String((await request.arrayBuffer()).byteLength))
    })
    const socket = await openSocket(`http://127.0.0.1:${listening.port}`)
    const begun = performance.now()
    socket.write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n')
    const trickle = setInterval(() => socket.write('x'), 50)
    const answer = await answerOn(socket)
    clearInterval(trickle)
    expect([answer.status, answer.body.error.code]).toEqual([408, 'request_timeout'])
    expect(performance.now() - begun).toBeGreaterThan(500)
  })

  it('on which nothing moves is closed', async () => {
    listening = await listen('127.0.0.1', 0, { limits: { ...connectionLimits, silentMs: 300 } })
    listening.serve(() => new Promise<Response>(() => {}))
    const socket = await openSocket(`http://127.0.0.1:${listening.port}`)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket.resume(), 'close')
  })

  it('more than there may be is closed, and a place that becomes free is taken', async () => {
    const url = await serverWith({ connections: 3 })
    const open = [await openSocket(url), await openSocket(url), await openSocket(url)]
    const refused = await openSocket(url)
    await once(refused.resume(), 'close')
    const left = once(open[0]!, 'close')
    open[0]!.end()
    await left
    const next = await openSocket(url)
    next.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await answerOn(next)).status).toBe(200)
    for (const socket of [...open, next]) socket.destroy()
  })
})

describe('The connections of one client', () => {
  const limits = { connectionsOfClient: 2, unreadBytesOfClient: 100 }
  const from = (remoteAddress: string, writableLength = 0): Socket =>
    Object.defineProperties(new Socket(), {
      remoteAddress: { value: remoteAddress },
      writableLength: { value: writableLength },
    })

  it('are bounded, those of an IPv6 network together', async () => {
    const connections = new Connections(limits, { behindProxy: false })
    for (const client of ['10.0.0.1', '2001:db8::']) {
      const other = client === '10.0.0.1' ? '10.0.0.2' : '2001:db8:0:1::1'
      const sockets = [1, 2].map((number) => from(client.endsWith('::') ? `${client}${number}` : client))
      expect(sockets.map((socket) => connections.admit(socket))).toEqual([true, true])
      expect(connections.admit(from(client.endsWith('::') ? `${client}3` : client))).toBe(false)
      expect(connections.admit(from(other))).toBe(true)
      const closed = once(sockets[0]!, 'close')
      sockets[0]!.destroy()
      await closed
      expect(connections.admit(sockets[0]!)).toBe(true)
    }
    connections.stop()
  })

  it('are not bounded for a proxy and for this machine', () => {
    const plain = new Connections(limits, { behindProxy: false })
    const proxied = new Connections(limits, { behindProxy: true })
    for (let count = 0; count < 5; count++) {
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(plain.admit(from(address))).toBe(true)
      expect(proxied.admit(from('10.0.0.1'))).toBe(true)
    }
    plain.stop()
    proxied.stop()
  })

  it('are ended, those with most first, while too much of their answers is not read', () => {
    const connections = new Connections(limits, { behindProxy: false })
    const reading = from('10.0.0.2', 90)
    const unread = [from('10.0.0.1', 30), from('10.0.0.1', 80)]
    for (const socket of [reading, ...unread]) connections.admit(socket)
    connections.endUnread()
    expect([reading, ...unread].map((socket) => socket.destroyed)).toEqual([false, false, true])
    connections.stop()
  })
})
