import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Batch } from '../../src/database/postgres/batch.ts'
import { PostgresTransaction } from '../../src/database/postgres/transaction.ts'
import { SqliteConnection } from '../../src/database/sqlite/connection.ts'
import { Deliverer } from '../../src/events/deliverer.ts'
import { Timers } from '../../src/jobs/timers.ts'
import { JobWorker } from '../../src/jobs/worker.ts'
import { JobBoard } from '../../src/pipeline/job-board.ts'
import { callTool } from '../mcp/agent.ts'
import { Visitor } from '../pages/visitor.ts'
import { signIn } from '../support/person.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'

/** The cost of one operation in the database. */
interface Cost {
  statements: number
  /** The number of writing transactions. */
  transactions: number
  rowsWritten: number
  /** The bytes of the text parameters of writing statements. */
  bytesWritten: number
}

/** Statements that are not counted, because they run irregularly or after the response. */
const NOW_AND_THEN =
  /"(api_requests|program_runs|settings|storage_usage)"|row_bytes|information_schema|sqlite_schema|^update "(api_tokens|sessions)"|^select "role" from "memberships"|as "role", "caps" from "api_tokens"|commit_records|"account_deletions"$|not exists \(select "id" from "account_deletions"|^(pragma|rollback)/

let cost: Cost | undefined
const WRITES = /^\s*(insert|update|delete)/

/** Open transactions that have written. */
const writing = new WeakSet<object>()

function note(text: string, values: readonly unknown[], rows: number): void {
  if (!cost || NOW_AND_THEN.test(text) || /^(begin|set |savepoint|release|commit)/.test(text)) return
  cost.statements++
  if (!WRITES.test(text)) return
  cost.rowsWritten += rows
  for (const value of values) if (typeof value === 'string') cost.bytesWritten += Buffer.byteLength(value)
}

function noteWrite(on: object, { sql }: CompiledQuery): void {
  if (WRITES.test(sql) && !NOW_AND_THEN.test(sql)) writing.add(on)
}

function noteCommit(on: object): void {
  if (writing.delete(on) && cost) cost.transactions++
}

function watchSqlite(): void {
  const { execute, command } = SqliteConnection.prototype
  vi.spyOn(SqliteConnection.prototype, 'execute').mockImplementation(function (this: SqliteConnection, query) {
    const result = execute.call(this, query)
    note(query.sql, query.parameters, Number(result.numAffectedRows ?? 0))
    noteWrite(this, query)
    return result as never
  })
  vi.spyOn(SqliteConnection.prototype, 'command').mockImplementation(function (this: SqliteConnection, text) {
    command.call(this, text)
    if (text === 'commit') noteCommit(this)
  })
}

function watchPostgres(): void {
  const { add } = Batch.prototype
  vi.spyOn(Batch.prototype, 'add').mockImplementation(function (this: Batch, statement) {
    const answered = add.call(this, statement)
    answered.then(
      ({ count }) => note(statement.text, statement.values, count),
      () => {},
    )
    return answered as never
  })
  const { execute, send, end } = PostgresTransaction.prototype
  vi.spyOn(PostgresTransaction.prototype, 'execute').mockImplementation(function (
    this: PostgresTransaction<unknown>,
    query,
  ) {
    noteWrite(this, query)
    return execute.call(this, query) as never
  })
  vi.spyOn(PostgresTransaction.prototype, 'send').mockImplementation(function (
    this: PostgresTransaction<unknown>,
    query,
  ) {
    noteWrite(this, query)
    return send.call(this, query)
  })
  vi.spyOn(PostgresTransaction.prototype, 'end').mockImplementation(async function (
    this: PostgresTransaction<unknown>,
    how,
    options,
  ) {
    await end.call(this, how, options)
    if (how === 'commit') noteCommit(this)
  })
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  cost = { statements: 0, transactions: 0, rowsWritten: 0, bytesWritten: 0 }
  try {
    await work()
    return cost
  } finally {
    cost = undefined
  }
}

async function program(shop: Shop, code: string): Promise<void> {
  const { structuredContent } = await callTool(shop.running, 'code_execute', code)
  expect(structuredContent).not.toHaveProperty('error')
}

/** Returns common operations, ordered so that each finds the rows that it needs. Values have the same length in each run. */
async function operationsOf(shop: Shop): Promise<Record<string, () => Promise<unknown>>> {
  const product = await shop.product({ name: 'Notebook', status: 'active' })
  const price = await shop.price(product.id, { quantity_available: 100 })
  const customer = await shop.customer({ email: 'ada@example.com' })
  // A customer that was changed within the same second is not touched again by a tag.
  await shop.set('customers', customer.id, { updated_at: '2026-01-01T00:00:00Z' })
  const others = await Promise.all(Array.from({ length: 10 }, (_, index) => shop.product({ name: `Product ${index}` })))
  const ids = JSON.stringify(others.map(({ id }) => id))
  const buyer = new Visitor(shop.running.url)
  const merchant = await signIn(shop.running)
  let checkout = { id: '', url: '' }
  return {
    'get a product': () => shop.get(`/products/${product.id}`),
    'list ten products': () => shop.get('/products?limit=10'),
    'find a product by a word': () => shop.get('/products?query=note'),
    'create a product': () => shop.post('/products', { name: 'Pen' }),
    'change a product': () => shop.patch(`/products/${product.id}`, { description: 'Paper.' }),
    'create a price': () => shop.post('/price_variants', { product_id: product.id, amount: 900, currency: 'usd' }),
    'create a customer': () => shop.post('/customers', { email: 'grace@example.com' }),
    'tag a customer': () => shop.post(`/customers/${customer.id}/tags`, { tags: ['vip'] }),
    'list customers': () => shop.get('/customers?limit=10'),
    'open a checkout': async () => {
      const line_items = [{ price_variant: price.id, quantity: 1 }]
      checkout = (await shop.post('/checkouts', { line_items, email: 'buyer@example.com' })) as typeof checkout
    },
    'look at a checkout': () => buyer.open(checkout.url),
    'pay a checkout': async () => {
      const { status } = await buyer.post(await buyer.open(checkout.url), 'pay', { card: '4242424242424242' })
      expect(status).toBe(303)
    },
    'list orders': () => shop.get('/orders?limit=10&expand=line_items'),
    'create an invoice': () =>
      shop.post('/invoices', { price_variant: price.id, customer: customer.id, due_at: '2099-01-01T00:00:00Z' }),
    'list invoices': () => shop.get('/invoices?limit=10'),
    'a program: 1 + 1': () => program(shop, '1 + 1'),
    'a program: ten gets': () => program(shop, `${ids}.each { |id| get("/products/#{id}") }; nil`),
    'a program: ten changes': () => program(shop, `${ids}.each { |id| patch("/products/#{id}", name: "A") }; nil`),
    'the page of a product in the shop': () => buyer.open(product.url),
    'the list of orders in the dashboard': () => merchant.get('/dashboard/my-shop/orders'),
  }
}

describe('What common operations ask of the database', () => {
  beforeAll(() => {
    // Jobs that an operation enqueues are not part of its cost.
    vi.spyOn(JobWorker.prototype, 'start').mockImplementation(() => {})
    vi.spyOn(Deliverer.prototype, 'start').mockImplementation(() => {})
    vi.spyOn(Timers.prototype, 'every').mockImplementation(() => {})
    vi.spyOn(JobBoard.prototype, 'wake').mockImplementation(() => {})
    watchSqlite()
    watchPostgres()
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })

  onEachEngine((shop) => {
    /** `npm test -- test/database/costs.test.ts -u` rewrites the files. A number that grows needs a reason. */
    it('is what the table says', async () => {
      const lines = [['', 'statements', 'transactions', 'rows written', 'bytes written'].join(' | ')]
      for (const [name, work] of Object.entries(await operationsOf(shop)))
        lines.push([name, ...Object.values(await costOf(work))].join(' | '))
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`costs-${shop.running.app.database.engine}.txt`)
    })
  })
})
