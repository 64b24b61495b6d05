import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardSignatures } from '../../src/events/signing.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { Shop } from '../support/shop.ts'
import { endpointsOf } from '../support/webhooks.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/receivers/', import.meta.url))
const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const BODY = '{"id":"whev_1","text":"Ünïcode ☕"}'
const NOW = 1_800_000_000

interface Request {
  body: string
  headers: Record<string, string>
  secret: string
  now: number
}

const request = (change: Partial<Request> = {}): Request => {
  const signature = standardSignatures(['whsec_b3RoZXI=', SECRET], { id: 'whev_1', timestamp: NOW, body: BODY })
  const headers = { 'webhook-id': 'whev_1', 'webhook-timestamp': String(NOW), 'webhook-signature': signature }
  return { body: BODY, headers, secret: SECRET, now: NOW, ...change }
}

const { 'webhook-signature': _, ...withoutSignature } = request().headers
const REQUESTS: [what: string, isGenuine: boolean, request: Request][] = [
  ['as it was sent', true, request()],
  ['4 minutes late', true, request({ now: NOW + 240 })],
  ['6 minutes late', false, request({ now: NOW + 360 })],
  ['6 minutes early', false, request({ now: NOW - 360 })],
  ['with another body', false, request({ body: `${BODY} ` })],
  ['with another secret', false, request({ secret: 'whsec_b3RoZXJz' })],
  ['with another id', false, request({ headers: { ...request().headers, 'webhook-id': 'whev_2' } })],
  ['without its headers', false, request({ headers: {} })],
  ['without a signature', false, request({ headers: withoutSignature })],
  ['with a timestamp of no meaning', false, request({ headers: { ...request().headers, 'webhook-timestamp': 'x' } })],
  [
    'with a signature of no meaning',
    false,
    request({ headers: { ...request().headers, 'webhook-signature': 'v1,x v2' } }),
  ],
]

/** Runs the example with one request as JSON; it prints whether the request is genuine. */
const RUN: Record<string, { file: string; call: (file: string) => [program: string, args: string[]] }> = {
  TypeScript: {
    file: 'receiver.ts',
    call: (file) => [
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { isGenuine } from ${JSON.stringify(file)}
         const { body, headers, secret, now } = JSON.parse(process.argv[1])
         console.log(isGenuine(Buffer.from(body), headers, secret, now))`,
      ],
    ],
  },
  Python: {
    file: 'receiver.py',
    call: (file) => [
      'python3',
      [
        '-c',
        `import json, runpy, sys
given = json.loads(sys.argv[1])
check = runpy.run_path(${JSON.stringify(file)})["is_genuine"]
print(str(check(given["body"].encode(), given["headers"], given["secret"], given["now"])).lower())`,
      ],
    ],
  },
  Ruby: {
    file: 'receiver.rb',
    call: (file) => [
      'ruby',
      [
        '-rjson',
        '-e',
        `require ${JSON.stringify(file)}
given = JSON.parse(ARGV[0])
puts genuine?(given["body"], given["headers"], given["secret"], given["now"])`,
      ],
    ],
  },
}

let shop: Shop
let delivered: Request

beforeAll(async () => {
  const receiver = await startReceiver({ keepsAlive: false })
  shop = new Shop()
  await shop.open('sqlite', { WEBHOOK_SIGNATURE_HEADER: 'X-Shop-Hmac-SHA256' })
  const { secret, path } = await endpointsOf(shop, () => receiver).endpoint({ enabled_events: ['tag.created'] })
  await shop.tag({ name: 'Ünïcode ☕' })
  const [{ raw, headers }] = (await receiver.until(1, path)) as [Received]
  const now = Number(headers['webhook-timestamp'])
  delivered = { body: raw, headers: headers as Record<string, string>, secret, now }
})
afterAll(() => shop.close())

describe('The page about webhooks', () => {
  it('shows the code of every example, and the headers as they are sent', async () => {
    const text = await (await fetch(`${shop.running.url}/docs/webhooks.md`)).text()
    for (const { file } of Object.values(RUN)) expect(text).toContain(readFileSync(`${EXAMPLES}${file}`, 'utf8').trim())
    const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    for (const header of [...standard, 'X-Shop-Hmac-SHA256', 'X-Webhook-Event', 'X-Webhook-Attempt']) {
      expect(text).toContain(header)
      expect(delivered.headers).toHaveProperty(header.toLowerCase())
    }
    expect(await (await fetch(shop.running.url)).text()).toContain('/docs/webhooks')
  })
})

describe.each(Object.keys(RUN))('The example in %s', (language) => {
  const { file, call } = RUN[language]!
  const [program, args] = call(`${EXAMPLES}${file}`)

  it.skipIf(!isInstalled(program))('believes what the shop has sent, and nothing else', () => {
    const requests: typeof REQUESTS = [['as it was delivered', true, delivered], ...REQUESTS]
    const said = requests.map(([what, , given]) => {
      const printed = execFileSync(program, [...args, JSON.stringify(given)], { encoding: 'utf8' })
      return [what, printed.trim() === 'true']
    })
    expect(said).toEqual(requests.map(([what, isGenuine]) => [what, isGenuine]))
  })
})

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
