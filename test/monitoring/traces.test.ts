import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remoteParent } from '../../src/monitoring/traces/traces.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const KEY = 'key of the collector'
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-00`
const PROGRAM =
  'post("/products", name: "Only in the body"); get("/products/only_in_the_path"); only_here = get("/customers").size'

describe.each(gateEngines)('a server with a collector of traces, on $name', ({ name, available }) => {
  let collector: Collector
  let receiver: Receiver
  let shop: RunningApp

  beforeAll(async () => {
    if (!available) return
    collector = await startCollector(KEY)
    receiver = await startReceiver()
    const otel = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=key%20of%20the%20collector',
    }
    shop = await startApp({ engine: name, settings: otel })
    await shop.api('POST', '/webhook_endpoints', { url: `${receiver.url}/secret/hook`, enabled_events: ['*'] })
    const program = await execute(PROGRAM)
    expect(program.status).toBe(200)
    const { body: customer } = await shop.api('POST', '/customers', { email: 'ada@example.com' })
    await shop.api('POST', '/emails', { customer: customer.id, subject: 'Said in a letter', text: 'Hello' })
    await receiver.until(2, '/secret/hook')
    await shop.api('GET', '/customers?email=ada%40example.com')
    await shop.close()
  })
  afterAll(() => Promise.all([collector?.close(), receiver?.close()]))

  const execute = (code: string) =>
    fetch(`${shop.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ Authorization: `Bearer ${shop.token}`, traceparent: TRACEPARENT },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'code_execute', arguments: { code } },
      }),
    })
  const named = (wanted: string) => collector.spans.filter((span) => span.name === wanted)
  const only = (wanted: string) => {
    const [span, ...others] = named(wanted)
    expect([wanted, span !== undefined, others.length]).toEqual([wanted, true, 0])
    return span!
  }
  const childrenOf = (parent: CollectedSpan) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

  it.skipIf(!available)('goes on with the trace of whoever asks, from the request to each call of a program', () => {
    const request = only('POST code_execute')
    expect([request.traceId, request.parentSpanId, request.kind]).toEqual([CALLER.traceId, CALLER.spanId, 2])
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 200, 'shopwright.transport': 'mcp' })
    expect(request.attributes['shopwright.account_id']).toBe(shop.accountId)
    const program = only('program execute')
    expect(program.parentSpanId).toBe(request.spanId)
    expect(childrenOf(program).map(({ name: call }) => call)).toEqual([
      'call create_product',
      'call retrieve_product',
      'call list_customers',
    ])
    expect(only('call retrieve_product').attributes['http.response.status_code']).toBe(404)
    const transaction = only('transaction of a program')
    expect(transaction.parentSpanId).toBe(request.spanId)
    expect(transaction.attributes['shopwright.outcome']).toMatch(/committed|undone/)
  })

  it.skipIf(!available)('times requests, their transactions, jobs, messages and deliveries', () => {
    const created = only('POST create_customer')
    expect(childrenOf(created).map((span) => span.name)).toContain('transaction')
    const job = collector.spans.find(
      (span) => span.name.startsWith('job ') && childrenOf(span).some((part) => part.name === 'mail'),
    )
    expect(job).toMatchObject({ parentSpanId: '', kind: 5, failed: false })
    const delivery = named('deliver customer.created')[0]!
    expect(delivery).toMatchObject({ failed: false, attributes: { 'shopwright.attempt': 1 } })
    expect(childrenOf(delivery)).toMatchObject([
      {
        name: 'POST outside',
        kind: 3,
        attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
      },
    ])
    expect(only('GET list_customers').attributes['http.response.status_code']).toBe(200)
    expect(collector.resource).toMatchObject({ 'service.name': 'shopwright', 'service.version': VERSION })
  })

  it.skipIf(!available)(
    'sends neither secrets nor what was said, and passes no trace on to endpoints of accounts',
    () => {
      const raw = collector.raw()
      for (const secret of [
        shop.token,
        'Only in the body',
        'only_here',
        'ada@',
        'ada%40',
        'Said in a letter',
        'secret/hook',
        'only_in_the_path',
      ])
        expect([secret, raw.includes(secret)]).toEqual([secret, false])
      for (const { headers } of receiver.received) expect(headers.traceparent).toBeUndefined()
    },
  )

  it.skipIf(!available)('does not trace the sending of traces', () => {
    const port = new URL(collector.url).port
    expect(collector.raw()).not.toContain(`:${port}`)
    expect(
      collector.spans.filter(({ name: one }) => one === 'POST outside').every(({ traceId }) => traceId !== ''),
    ).toBe(true)
  })
})

it('stops in seconds, and says so, when no collector is there', async () => {
  const shop = await startApp({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
  expect((await shop.api('GET', '/products')).status).toBe(200)
  const began = performance.now()
  await shop.close()
  expect(performance.now() - began).toBeLessThan(15_000)
  expect(shop.errors).toEqual([])
})

it.each([
  [TRACEPARENT, CALLER],
  [`${TRACEPARENT.replace(/^00/, '01')}-more`, CALLER],
  [null, undefined],
  ['', undefined],
  [TRACEPARENT.replace(/^00/, 'ff'), undefined],
  [TRACEPARENT.toUpperCase(), undefined],
  [`00-${'0'.repeat(32)}-${CALLER.spanId}-01`, undefined],
  [`00-${CALLER.traceId}-${'0'.repeat(16)}-01`, undefined],
  [`00-${CALLER.traceId}-${CALLER.spanId}`, undefined],
  ['x'.repeat(10_000), undefined],
])('the header traceparent %j names %j', (header, parent) => {
  expect(remoteParent(header)).toEqual(parent)
})
