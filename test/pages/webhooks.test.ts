import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standardSignatures } from '../../src/events/signing.ts'
import { type RunningApp, startApp } from '../support/app.ts'

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

const REQUESTS: [what: string, isGenuine: boolean, request: Request][] = [
  ['as it was sent', true, request()],
  ['4 minutes late', true, request({ now: NOW + 240 })],
  ['6 minutes late', false, request({ now: NOW + 360 })],
  ['6 minutes early', false, request({ now: NOW - 360 })],
  ['with another body', false, request({ body: `${BODY} ` })],
  ['with another secret', false, request({ secret: 'whsec_b3RoZXJz' })],
  ['with another id', false, request({ headers: { ...request().headers, 'webhook-id': 'whev_2' } })],
  [
    'with a signature of no meaning',
    false,
    request({ headers: { ...request().headers, 'webhook-signature': 'v1,x v2' } }),
  ],
]

/** Runs the example with one request as JSON; it prints whether the request is genuine. */
const RUN: Record<string, { file: string; call: (file: string) => [program: string, args: string[]] }> = {
  'Node.js': {
    file: 'receiver.mjs',
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

describe('The page about webhooks', () => {
  let app: RunningApp
  beforeAll(async () => {
    app = await startApp({ settings: { WEBHOOK_SIGNATURE_HEADER: 'X-Shop-Hmac-SHA256' } })
  })
  afterAll(() => app.close())

  it('shows the code of every example, and the headers as they are sent', async () => {
    const response = await fetch(`${app.url}/docs/webhooks`)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    for (const { file } of Object.values(RUN)) {
      const lines = readFileSync(`${EXAMPLES}${file}`, 'utf8').trim().split('\n')
      const plain = lines.filter((line) => !/[<>&"']/.test(line))
      expect(plain.length).toBeGreaterThan(3)
      for (const line of plain) expect(text).toContain(line)
    }
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Shop-Hmac-SHA256'])
      expect(text).toContain(header)
    expect(await (await fetch(app.url)).text()).toContain('/docs/webhooks')
  })
})

describe.each(Object.keys(RUN))('The example in %s', (language) => {
  const { file, call } = RUN[language]!
  const [program, args] = call(`${EXAMPLES}${file}`)

  it.skipIf(!isInstalled(program))('believes what the shop has sent, and nothing else', () => {
    const said = REQUESTS.map(([what, , given]) => {
      const printed = execFileSync(program, [...args, JSON.stringify(given)], { encoding: 'utf8' })
      return [what, printed.trim() === 'true']
    })
    expect(said).toEqual(REQUESTS.map(([what, isGenuine]) => [what, isGenuine]))
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
