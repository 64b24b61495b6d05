import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { callTool } from '../mcp/agent.ts'
import { Visitor } from '../pages/visitor.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { DEEP } from '../support/depth.ts'

/** The processor time of an operation and of its client, as a multiple of the time of the reference workload. */
const USUAL: Record<string, number> = {
  'get a product': 3.7,
  'list 20 products': 4.8,
  'create a product': 12.5,
  'create a customer': 12,
  'paid order': 95,
  'program: 1 + 1': 14,
  'program: ten gets': 29,
}
/** An operation fails if it takes more than this many times its usual time. */
const MOST = 1.25
const ROUNDS = 5
const WARM_UP = 2
const ROUND_MICROSECONDS = 500_000

/** Work that no change of the product makes faster or slower: JSON, a hash, and rows of SQLite in memory. */
function referenceWorkload(): () => void {
  const database = new DatabaseSync(':memory:')
  database.exec('create table rows (id integer primary key, text text not null)')
  const insert = database.prepare('insert into rows (text) values (?)')
  const find = database.prepare('select * from rows where id = ?')
  const row = { id: 'prod_1', name: 'Notebook', tags: Array.from({ length: 20 }, (_, index) => `tag ${index}`) }
  return () => {
    for (let index = 0; index < 20; index++) {
      const { lastInsertRowid } = insert.run(JSON.stringify({ ...row, index }))
      const { text } = find.get(lastInsertRowid) as { text: string }
      createHash('sha256')
        .update(JSON.stringify(JSON.parse(text)))
        .digest('hex')
    }
  }
}

async function operationsOf(running: RunningApp): Promise<Record<string, () => Promise<unknown>>> {
  const create = async (path: string, body: object) => {
    const answer = await running.api('POST', path, body)
    expect(answer.status).toBe(201)
    return answer.body as { id: string; url: string }
  }
  const product = await create('/products', { name: 'Notebook', status: 'active' })
  const price = await create('/price_variants', { product_id: product.id, amount: 1999, currency: 'usd' })
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create('/products', { name: `Product ${index}` })),
  )
  const ids = JSON.stringify(others.slice(0, 10).map(({ id }) => id))
  let made = 0
  const program = async (code: string) => {
    const { structuredContent } = await callTool(running, 'code_execute', code)
    expect(structuredContent).not.toHaveProperty('error')
  }
  return {
    'get a product': () => running.api('GET', `/products/${product.id}`),
    'list 20 products': () => running.api('GET', '/products?limit=20'),
    'create a product': () => create('/products', { name: `Pen ${made++}` }),
    'create a customer': () => create('/customers', { email: `customer${made++}@example.com` }),
    'paid order': async () => {
      const line_items = [{ price_variant: price.id, quantity: 1 }]
      const { url } = await create('/checkouts', { line_items, email: `buyer${made++}@example.com` })
      const buyer = new Visitor(running.url)
      expect((await buyer.post(await buyer.open(url), 'pay', { card: '4242424242424242' })).status).toBe(303)
    },
    'program: 1 + 1': () => program('1 + 1'),
    'program: ten gets': () => program(`${ids}.each { |id| get("/products/#{id}") }; nil`),
  }
}

/** Returns the processor milliseconds of one run, including those of the client: the mean over half a second of processor time. */
async function processorMs(work: () => unknown): Promise<number> {
  const began = process.cpuUsage()
  for (let runs = 1; ; runs++) {
    await work()
    const { user, system } = process.cpuUsage(began)
    if (user + system > ROUND_MICROSECONDS) return (user + system) / 1000 / runs
  }
}

/** Returns the best time of `work` as a multiple of that of the reference. They take turns, so a busy machine slows both. */
async function comparedWith(reference: () => unknown, work: () => unknown): Promise<number> {
  const [best, usual] = [[] as number[], [] as number[]]
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const times = [await processorMs(work), await processorMs(reference)] as const
    if (round < 0) continue
    best.push(times[0])
    usual.push(times[1])
  }
  return Math.min(...best) / Math.min(...usual)
}

describe.skipIf(!DEEP)('The processor time of common operations', () => {
  it(`is at most ${MOST} times what it usually is`, { timeout: 300_000 }, async () => {
    const running = await startApp({
      engine: 'sqlite',
      settings: { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' },
    })
    try {
      const reference = referenceWorkload()
      const measured: Record<string, number> = {}
      for (const [name, work] of Object.entries(await operationsOf(running)))
        measured[name] = await comparedWith(reference, work)
      const slower = Object.keys(USUAL).filter((name) => measured[name]! > USUAL[name]! * MOST)
      expect(slower, JSON.stringify(measured)).toEqual([])
    } finally {
      await running.close()
    }
  })
})
