import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AddressRefusedError, NoAnswerError, type Web } from '../../../src/providers/web/client.ts'
import { reachOf } from '../../../src/providers/web/guarded/address.ts'
import { createWeb } from '../../../src/providers/web/registry.ts'
import { readSettings, SettingError } from '../../../src/settings/config.ts'

const NO_LOOPBACK = { WEBHOOKS_ALLOW_LOOPBACK: false, OUTSIDE_ALLOW_LOOPBACK: false }
const REQUEST = { method: 'GET', timeoutMs: 5_000, maxBytes: 1_000 }

describe('An address', () => {
  it.each([
    ['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ['192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
    ['240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ['::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '3fff::1', '100::1'],
    ['::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '::10.0.0.1', '2002:a00:1::'],
    ['2001::1', 'nonsense', '', '1.2.3'],
  ])('is closed: %s %s %s …', (...addresses) => {
    for (const address of addresses) expect([address, reachOf(address)]).toEqual([address, 'closed'])
  })

  it('is of this machine, or public, in every form of IPv6 too', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
      expect([address, reachOf(address)]).toEqual([address, 'loopback'])
    for (const address of [
      '1.1.1.1',
      '172.32.0.1',
      '192.169.0.1',
      '2606:4700::1111',
      '::ffff:1.1.1.1',
      '64:ff9b::808:808',
    ])
      expect([address, reachOf(address)]).toEqual([address, 'public'])
  })
})

describe('A request of webhooks', () => {
  let web: Web
  const names = new Map<string, string[]>([
    ['private.example', ['10.0.0.1']],
    ['mixed.example', ['1.1.1.1', '127.0.0.1']],
    ['mapped.example', ['::ffff:192.168.0.1']],
    ['public.example', ['1.1.1.1']],
  ])
  beforeAll(() => {
    web = createWeb(NO_LOOPBACK, async (name) => names.get(name) ?? [])
  })
  afterAll(() => web.close())

  const hosts = [
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[fe80::1]', '[::]'],
    ...['10.0.0.1', '0xa000001', '192.168.0.1', '3232235521', '169.254.169.254', '[fd00:ec2::254]', '0.0.0.0', '0'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'x.localhost', 'ｌｏｃａｌｈｏｓｔ', '[fe80::1%25eth0]', '[::1%lo]'],
  ]
  it.each(hosts)('does not go to %s', async (host) => {
    const url = `https://${host}/in`
    expect(() => web.webhooks.checkForm(url)).toThrow(AddressRefusedError)
    await expect(web.webhooks.fetch(url, REQUEST)).rejects.toThrow(AddressRefusedError)
    await expect(web.outside.fetch(`http://${host}/`, REQUEST)).rejects.toThrow(AddressRefusedError)
  })

  it.each([
    'https://u@public.example',
    'https://u:p@public.example',
    'https://public.example:22',
    'https://public.example:0',
    'https://.',
    'https://',
    'file:///etc/passwd',
    'gopher://public.example',
    'http://public.example',
    '',
  ])('is refused for %s', async (url) => {
    expect(() => web.webhooks.checkForm(url)).toThrow(AddressRefusedError)
  })

  it('is refused for names of private addresses, also when only one is private', async () => {
    for (const name of ['private.example', 'mixed.example', 'mapped.example', 'private.example.']) {
      await expect(web.webhooks.check(`https://${name}`)).rejects.toThrow(AddressRefusedError)
      await expect(web.webhooks.fetch(`https://${name}`, REQUEST)).rejects.toThrow(AddressRefusedError)
    }
  })

  it('passes the check for public names, and for names that nobody knows yet', async () => {
    await web.webhooks.check('https://public.example/in')
    await web.webhooks.check('https://unknown.example:8443/in')
    await expect(web.webhooks.fetch('https://unknown.example', REQUEST)).rejects.toThrow(
      'The host name unknown.example has no address.',
    )
  })

  it('lets other addresses than webhooks be http', async () => {
    await web.outside.check('http://public.example')
  })
})

describe('With this machine allowed', () => {
  let server: Server
  let port: number
  let answer: RequestListener = (_, response) => response.end('hello')
  const requests: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.headers.host} ${request.url}`)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const allowed = { WEBHOOKS_ALLOW_LOOPBACK: true, OUTSIDE_ALLOW_LOOPBACK: false }

  it('a request goes there by http, of the use that is allowed alone', async () => {
    const web = createWeb(allowed)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `x.localhost.:${port}`]) {
      const { status, body } = await web.webhooks.fetch(`http://${host}/in?a=1#part`, REQUEST)
      expect([status, Buffer.from(body).toString()]).toEqual([200, 'hello'])
    }
    expect(requests.at(-1)).toBe(`GET x.localhost:${port} /in?a=1`)
    expect(() => web.webhooks.checkForm('http://10.0.0.1')).toThrow('must start with https://')
    expect(() => web.webhooks.checkForm('https://10.0.0.1')).toThrow('must be a public address')
    expect(() => web.webhooks.checkForm('http://example.com')).toThrow('must start with https://')
    await expect(web.outside.fetch(`http://127.0.0.1:${port}`, REQUEST)).rejects.toThrow(AddressRefusedError)
    await web.close()
  })

  it('a name that is resolved to another address the second time is still refused', async () => {
    const turns = [['1.1.1.1'], ['127.0.0.1'], ['10.0.0.7']]
    const web = createWeb(NO_LOOPBACK, async () => turns.shift()!)
    await web.outside.check(`http://rebinding.example:${port}`)
    const before = requests.length
    for (let turn = 0; turn < 2; turn++)
      await expect(web.outside.fetch(`http://rebinding.example:${port}`, REQUEST)).rejects.toThrow(AddressRefusedError)
    expect(requests.length).toBe(before)
    await web.close()
  })

  it('redirects are answers', async () => {
    const web = createWeb(allowed)
    answer = (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    const { status, headers } = await web.webhooks.fetch(`http://127.0.0.1:${port}/`, REQUEST)
    expect([status, headers.location]).toEqual([302, 'http://10.0.0.1/'])
    await web.close()
  })

  it('no more of an answer is read than was asked for', async () => {
    const web = createWeb(allowed)
    let written = 0
    answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000))) written += 100_000
        response.once('drain', more)
      }
      more()
    }
    const { body } = await web.webhooks.fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, maxBytes: 64_000 })
    expect(body).toHaveLength(64_000)
    expect(written).toBeLessThan(50_000_000)
    await web.close()
  })

  it('what is sent may come in chunks, of a length that is said before', async () => {
    const web = createWeb(allowed)
    let asked = 0
    async function* chunks() {
      for (asked = 1; asked <= 3; asked++) yield Buffer.alloc(100_000, asked)
    }
    const got: unknown[] = []
    answer = (request, response) => {
      const sent: Buffer[] = []
      request.on('data', (chunk: Buffer) => sent.push(chunk))
      request.on('end', () => {
        const all = Buffer.concat(sent)
        got.push(request.headers['content-length'], request.headers['transfer-encoding'], all.length, all[250_000])
        response.end()
      })
    }
    const headers = { 'content-length': '300000' }
    await web.webhooks.fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, method: 'POST', headers, body: chunks() })
    expect(got).toEqual(['300000', undefined, 300_000, 3])
    const refused = web.webhooks.fetch('https://10.0.0.1/', { ...REQUEST, method: 'POST', headers, body: chunks() })
    asked = 0
    await expect(refused).rejects.toThrow(AddressRefusedError)
    expect(asked).toBe(0)
    async function* broken() {
      yield Buffer.alloc(10)
      throw new Error('The file ends here')
    }
    const short = { ...REQUEST, method: 'POST', headers, body: broken() }
    await expect(web.webhooks.fetch(`http://127.0.0.1:${port}/`, short)).rejects.toThrow()
    await web.close()
  })

  it('what fails is told in a sentence', async () => {
    const web = createWeb(allowed)
    const told = async (listener: RequestListener, timeoutMs = 5_000) => {
      answer = listener
      const failed = await web.webhooks
        .fetch(`http://127.0.0.1:${port}/`, { ...REQUEST, timeoutMs })
        .catch((one) => one)
      expect(failed).toBeInstanceOf(NoAnswerError)
      return failed.message
    }
    const late = 'The response was not complete within 0.2 seconds.'
    expect(await told(() => {}, 200)).toBe(late)
    expect(await told((_, response) => void response.writeHead(200).write('slowly'), 200)).toBe(late)
    const closed = 'The connection was closed before the response was complete.'
    expect(await told((request) => request.socket.destroy())).toBe(closed)
    expect(await told((request) => request.socket.resetAndDestroy())).toBe(closed)
    expect(await told((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end())).toBe(
      'The response headers are too large.',
    )
    expect(await told((request) => request.socket.end('nonsense\r\n\r\n'))).toBe('The response is not valid HTTP.')
    const refused = web.webhooks.fetch('http://127.0.0.1:1025/', REQUEST)
    await expect(refused).rejects.toThrow('The connection was refused.')
    await web.close()
  })
})

describe('The settings for development', () => {
  it.each(['WEBHOOKS_ALLOW_LOOPBACK', 'OUTSIDE_ALLOW_LOOPBACK'])('%s is refused in production', (name) => {
    expect(readSettings({ [name]: 'true' })).toHaveProperty(name, true)
    expect(() => readSettings({ [name]: 'true', NODE_ENV: 'production' })).toThrow(SettingError)
    expect(readSettings({ [name]: 'false', NODE_ENV: 'production' })).toHaveProperty(name, false)
  })

  it('gaps between attempts are seconds', () => {
    expect(readSettings({}).WEBHOOK_RETRY_GAPS).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
    expect(readSettings({ WEBHOOK_RETRY_GAPS: '0, 1.5,60' }).WEBHOOK_RETRY_GAPS).toEqual([0, 1.5, 60])
    for (const wrong of ['soon', '1,,2', '-1', '1e9', '9999999'])
      expect(() => readSettings({ WEBHOOK_RETRY_GAPS: wrong })).toThrow(SettingError)
  })
})
