import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorRecord } from '../../src/cli/log.ts'
import { NoAnswerError } from '../../src/providers/web/client.ts'
import { UNNAMED_OWNER } from '../../src/resources/company/account/life/open.ts'
import { freshDirectory } from '../database/engines.ts'
import { startApp } from '../support/app.ts'
import { PASSWORD, Person } from '../support/person.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { environmentOf, killAll, type Server, startServer } from '../support/server.ts'

const SECRET_KEY = 'key-under-which-all-is-hashed'
const METRICS_TOKEN = 'metrics-for-the-operator-alone'
const MAIL_PASSWORD = 'password-of-the-mail-server'
const WRONG_TOKEN = 'shpw_000000000000000000000000000000000000'
const HOOK_PATH = '/hooks/only-the-receiver-knows-this'

describe('the log of a busy server', () => {
  let server: Server
  let receiver: Receiver
  let remove: () => Promise<void>
  let printed = ''
  const secrets = new Map<string, string>([
    ['secret key', SECRET_KEY],
    ['token of the metrics', METRICS_TOKEN],
    ['password of the mail server', MAIL_PASSWORD],
    ['wrong token', WRONG_TOKEN],
    ['address of the endpoint', HOOK_PATH],
    ['name of a customer', 'ada@example.com'],
    ['query', 'looked-for-in-a-query'],
    ['body', 'Said in a body'],
    ['program', 'only_this_program'],
  ])
  const requestIds: string[] = []

  const api = async (method: string, path: string, body?: unknown, token = server.token!) => {
    const answer = await server.api(method, path, body, { token })
    requestIds.push(answer.headers.get('request-id')!)
    return answer.body
  }

  beforeAll(async () => {
    const { directory, remove: removeDirectory } = await freshDirectory()
    remove = removeDirectory
    receiver = await startReceiver()
    receiver.answers.set(HOOK_PATH, 500)
    server = await startServer(
      environmentOf(directory, {
        ...{ LOG_LEVEL: 'info', SECRET_KEY, METRICS_TOKEN, WEBHOOKS_ALLOW_LOOPBACK: 'true' },
        ...{ SMTP_URL: `smtp://shop:${MAIL_PASSWORD}@127.0.0.1:9`, MAIL_FROM: 'shop@example.com' },
      }),
    )
    const shownAtStart = server.printed()
    secrets.set('token', server.token!)
    await beBusy()
    for (const line of [/A delivery was attempted/, /A job failed/]) await server.until(line)
    printed = (await server.stop()).stdout.slice(shownAtStart.length)
  })
  afterAll(async () => {
    killAll()
    await receiver.close()
    await remove()
  })

  async function beBusy(): Promise<void> {
    const hook = await api('POST', '/webhook_endpoints', { url: receiver.url + HOOK_PATH, enabled_events: ['*'] })
    secrets.set('secret of the endpoint', hook.secret)
    const customer = await api('POST', '/customers', { email: 'ada@example.com' })
    await api('POST', '/emails', { customer: customer.id, subject: 'Said in a body', text: 'Said in a body' })
    const product = await api('POST', '/products', { name: 'Said in a body', status: 'active' })
    const price = await api('POST', '/price_variants', { product_id: product.id, amount: 2900, currency: 'usd' })
    const checkout = await api('POST', '/checkouts', { line_items: [{ price_variant: price.id }] })
    secrets.set('secret of a checkout', new URL(checkout.url).pathname.split('/').at(-1)!)
    await fetch(server.url + new URL(checkout.url).pathname)
    await fetch(`${server.url + new URL(checkout.url).pathname}x?secret=looked-for-in-a-query`)
    const file = await api('POST', '/files', { filename: 'plan.txt', size: 3 })
    const address = new URL(file.upload_url).pathname
    secrets.set('capability of an upload', address.split('/').at(-1)!)
    await fetch(server.url + address, { method: 'PUT', body: 'abc' })
    const { file_url: fileUrl } = await api('POST', `/files/${file.id}/uploaded`)
    secrets.set('capability of a file', new URL(fileUrl).pathname.split('/')[3]!)
    await fetch(server.url + new URL(fileUrl).pathname)
    await api('GET', '/products?search=looked-for-in-a-query')
    await api('GET', '/products', undefined, WRONG_TOKEN)
    await api('GET', '/products/looked-for-in-a-query')
    await server.tool('code_execute', 'only_this_program = 1; get("/products/looked-for-in-a-query")["id"]')
    await server.tool('code_search', 'only_this_program')
    await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
    await fetch(`${server.url}/looked-for-in-a-query?token=${server.token}`)
    await visitDashboard()
  }

  async function visitDashboard(): Promise<void> {
    const person = new Person(server)
    const [link] = /\/set-password\/[\w-]+/.exec(server.printed())!
    secrets.set('link of a password', link.split('/').at(-1)!)
    await person.submit(link, { ...UNNAMED_OWNER, password: PASSWORD })
    secrets.set('cookie of a session', person.cookies[0]!.value)
    const { location } = await person.get('/dashboard')
    await person.get(`${location}/products?query=looked-for-in-a-query`)
  }

  it('holds none of the secrets, and nothing that was asked for or sent', () => {
    expect(secrets.size).toBe(16)
    const found = [...secrets].filter(([, secret]) => printed.includes(secret)).map(([name]) => name)
    expect(found).toEqual([])
  })

  it('has a line for each request, with its id, what it asked for, its status and its caller', () => {
    const lines = linesOf(printed).filter(({ msg }) => msg === 'A request was answered')
    for (const id of requestIds) expect(lines.filter(({ requestId }) => requestId === id)).toHaveLength(1)
    for (const line of lines)
      expect(line).toMatchObject({ requestId: expect.stringMatching(/^req_/), status: expect.any(Number) })
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ transport: 'rest', method: 'POST', operation: 'create_product', status: 201 },
        ...{ accountId: expect.any(String), callerId: expect.any(String), durationMs: expect.any(Number) },
      }),
    )
    const asked = lines.map(({ transport, operation }) => `${transport} ${operation}`)
    expect(asked).toEqual(expect.arrayContaining(['mcp code_execute', 'mcp code_search', 'page /metrics', 'page /*']))
  })

  it('names the account and the session of whoever looks at the dashboard', () => {
    const { accountId } = linesOf(printed).find(({ operation }) => operation === 'create_product')
    expect(linesOf(printed)).toContainEqual(
      expect.objectContaining({
        ...{ transport: 'page', operation: '/dashboard/:account/:things', status: 200 },
        ...{ accountId, callerId: expect.stringMatching(/^sess_/) },
      }),
    )
  })

  it('names jobs and deliveries', () => {
    expect(linesOf(printed)).toContainEqual(
      expect.objectContaining({ msg: 'A delivery was attempted', deliveryId: expect.stringMatching(/^whev_/) }),
    )
    expect(linesOf(printed)).toContainEqual(
      expect.objectContaining({ msg: 'A job failed', jobId: expect.any(String), job: expect.any(String) }),
    )
  })
})

describe('an unexpected error', () => {
  it('is logged with the id of its request, whichever way that came', async () => {
    const shop = await startApp()
    await shop.app.database.close()
    const headers = { Authorization: `Bearer ${shop.token}` }
    const answers = [
      await fetch(`${shop.url}/v1/products`, { headers }),
      await fetch(`${shop.url}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
    ]
    const logged = shop.errors as { requestId: string }[]
    for (const answer of answers) {
      expect(answer.status).toBe(500)
      expect(logged.map(({ requestId }) => requestId)).toContain(answer.headers.get('request-id'))
    }
    await shop.close().catch(() => {})
  })

  it('is written without what libraries hang on errors, and without secrets in its words', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED smtp://shop:hidden@mail.example:587/?key=hidden'), {
      code: 'ECONNREFUSED',
      parameters: ['hidden'],
    })
    const error = new Error(
      'No answer from https://hooks.example/hidden?token=hidden for whsec_hidden and shpwr_hidden',
      { cause },
    )
    const record = errorRecord(error)
    expect(JSON.stringify(record)).not.toContain('hidden')
    expect(record).toMatchObject({
      message: 'No answer from https://hooks.example/… for whsec_… and shpwr_…',
      stack: expect.stringMatching(/^ {4}at /),
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED smtp://mail.example:587/…' },
    })
  })

  it('names an error by its class, or by the name that it has itself', () => {
    const aborted = new DOMException('This operation was aborted', 'AbortError')
    const named = [new NoAnswerError('late'), new TypeError('wrong'), new Error('plain'), aborted, 'thrown']
    expect(named.map((error) => errorRecord(error).type)).toEqual([
      ...['NoAnswerError', 'TypeError', 'Error', 'AbortError', 'string'],
    ])
  })
})

// biome-ignore lint/suspicious/noExplicitAny: lines are looked at freely
function linesOf(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}
