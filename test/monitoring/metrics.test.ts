import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gateEngines, type RunningApp, startApp } from '../support/app.ts'
import { rpc } from '../support/server.ts'

const TOKEN = 'metrics_for_the_operator_alone'
const SOON = { timeout: 20_000 }

describe.each(gateEngines)('/metrics on $name', ({ name, available }) => {
  let shop: RunningApp
  beforeAll(async () => {
    if (available) shop = await startApp({ engine: name, settings: { METRICS_TOKEN: TOKEN } })
  })
  afterAll(() => shop?.close())

  const read = (token = TOKEN) => fetch(`${shop.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
  const sampled = async (sample: string): Promise<number> => {
    const lines = (await (await read()).text()).split('\n')
    return Number(lines.find((line) => line.startsWith(`${sample} `))?.slice(sample.length + 1) ?? Number.NaN)
  }
  const execute = (code: string) =>
    rpc(`${shop.url}/mcp`, { Authorization: `Bearer ${shop.token}` }, 'tools/call', {
      name: 'code_execute',
      arguments: { code },
    })

  it.skipIf(!available)('are for whoever sends their token, and for nobody else', async () => {
    expect((await read()).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const token of ['', 'wrong', `${TOKEN}x`, shop.token]) {
      const refused = await read(token)
      expect(refused.status).toBe(401)
      expect(await refused.text()).not.toContain('shopwright_')
    }
  })

  it.skipIf(!available)('count requests by what they ask for, never by their path', async () => {
    const { body: product } = await shop.api('POST', '/products', { name: 'Counted' })
    await shop.api('GET', `/products/${product.id}`)
    await shop.api('GET', '/products/prod_unknown')
    await shop.api('GET', '/nowhere/at/all')
    await fetch(`${shop.url}/no/such/page`)
    await execute('get("/products").size')
    const rest = 'shopwright_requests_total{transport="rest"'
    expect(await sampled(`${rest},operation="retrieve_product",status="200"}`)).toBe(1)
    expect(await sampled(`${rest},operation="retrieve_product",status="404"}`)).toBe(1)
    expect(await sampled(`${rest},operation="none",status="404"}`)).toBe(1)
    expect(await sampled('shopwright_requests_total{transport="page",operation="/*",status="404"}')).toBe(1)
    expect(await sampled('shopwright_requests_total{transport="mcp",operation="code_execute",status="200"}')).toBe(1)
    const listed = 'transport="program",operation="list_products"'
    expect(await sampled(`shopwright_requests_total{${listed},status="200"}`)).toBe(1)
    expect(await sampled(`shopwright_request_duration_seconds_count{${listed}}`)).toBe(1)
    expect(await (await read()).text()).not.toMatch(/prod_|nowhere|no\/such/)
  })

  it.skipIf(!available)('tell of programs, the database, jobs, deliveries and the process', async () => {
    await execute('raise "no"')
    await expect.poll(() => sampled('shopwright_programs_total{kind="execute",outcome="ruby_error"}'), SOON).toBe(1)
    const samples = [
      'shopwright_program_wait_seconds_count',
      'shopwright_interpreter_start_seconds_count',
      'shopwright_programs_waiting',
      'shopwright_jobs{state="due"}',
      'shopwright_job_oldest_due_seconds',
      'shopwright_webhook_deliveries{queue="due"}',
      'shopwright_webhook_delivery_oldest_due_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      ...(name === 'sqlite'
        ? ['shopwright_writer_waiting', 'shopwright_writer_wait_seconds_count{kind="short"}']
        : ['shopwright_pool_waiting', 'shopwright_pool_connections{state="idle"}']),
    ]
    for (const sample of samples) expect([sample, await sampled(sample)]).toEqual([sample, expect.any(Number)])
    for (const sample of samples) expect([sample, Number.isNaN(await sampled(sample))]).toEqual([sample, false])
  })

  it.skipIf(!available)('count what becomes of jobs and messages', async () => {
    const { body: customer } = await shop.api('POST', '/customers', { email: 'ada@example.com' })
    const sent = await shop.api('POST', '/emails', { customer: customer.id, subject: 'Counted', text: 'Hello' })
    expect(sent.status).toBe(201)
    await expect.poll(() => sampled('shopwright_mail_total{outcome="sent"}'), SOON).toBe(1)
    const text = await (await read()).text()
    expect(text).toMatch(/shopwright_jobs_ended_total\{job="[\w.]+",outcome="done"\} 1/)
  })
})

it('is an address like any unknown one without METRICS_TOKEN', async () => {
  const shop = await startApp()
  const answers = await Promise.all(
    ['/metrics', '/metricz'].map(async (path) => {
      const answer = await fetch(shop.url + path, { headers: { Authorization: `Bearer ${TOKEN}` } })
      return { status: answer.status, text: (await answer.text()).replace(path, '') }
    }),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]!.status).toBe(404)
  await shop.close()
})
