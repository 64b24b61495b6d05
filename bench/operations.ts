import { startApp } from '../test/support/app.ts'

/** Measures operations within this process in the way that a program's call runs them, but without Ruby. */
const running = await startApp({ settings: { DEMO_DATA: 'shop' } })
const owner = { accountId: running.accountId, userId: 'bench', role: 'owner' } as const
const caller = { ...owner, kind: 'session', sessionId: 'bench' } as const
const call = (method: string, path: string, query = {}, body?: unknown) =>
  running.app.pipeline.run({ method, path, query, body, caller })
const { data } = (await call('GET', '/products')).body as { data: { id: string }[] }

await report('GET /products/{id}', () => call('GET', `/products/${data[0]!.id}`), 150)
await report('GET /account', () => call('GET', '/account'), 150)
await report('GET /products?limit=20', () => call('GET', '/products', { limit: 20 }))
await report('GET /tags', () => call('GET', '/tags'))
await report('POST /products', () => call('POST', '/products', {}, { name: `Guide ${Math.random()}` }))
await running.close()

async function report(what: string, run: () => Promise<{ status: number }>, targetMicros?: number): Promise<void> {
  for (let round = 0; round < 300; round++) await run()
  const times: number[] = []
  for (let round = 0; round < 1_000; round++) {
    const started = performance.now()
    const { status } = await run()
    times.push((performance.now() - started) * 1000)
    if (status >= 300) throw new Error(`${what} answered ${status}`)
  }
  const median = times.sort((a, b) => a - b)[500]!
  console.log(`${what}: median ${median.toFixed(0)} µs${targetMicros ? ` (target ${targetMicros})` : ''}`)
}
