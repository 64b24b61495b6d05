import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withDatabase } from '../../src/cli/with-database.ts'
import { csvLine } from '../../src/format/csv.ts'
import { readSettings } from '../../src/settings/config.ts'
import { freshDirectory, testServerUrl } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { type Environment, killAll, shopwright } from '../support/server.ts'
import { freshEnvironments } from './environments.ts'

const ORDERS = 2_500
const BUYERS = 400
const LOOK_MS = 5

const prepare = freshEnvironments()
const engines = [
  { engine: 'sqlite', available: true },
  { engine: 'postgres', available: Boolean(testServerUrl) },
] as const

describe('An import that is interrupted', () => {
  let directory: string
  let remove: () => Promise<void>

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    await writeFile(join(directory, 'orders.csv'), ordersText())
  })
  afterAll(async () => {
    killAll()
    await remove()
  })

  for (const { engine, available } of engines)
    it.skipIf(!available)(`goes on where it ended, on ${engine}`, { timeout: 120_000 }, async () => {
      const environment = await prepare(engine, { SECRET_KEY: 'a key that the service keeps' })
      await command(['account', 'create', 'Shop', '--owner', 'owner@example.com', '--new-service'], environment)
      const words = ['import', 'shopify', join(directory, 'orders.csv')]
      for (const signal of ['SIGKILL', 'SIGINT'] as const) await interrupt(words, environment, signal)
      const taken = await count(environment, 'orders')
      const { stdout } = await command(words, environment)
      expect(stdout).toContain(`${taken.toLocaleString('en')} orders imported before`)
      const counts = await Promise.all(TABLES.map((table) => count(environment, table)))
      expect(counts).toEqual([ORDERS, 2 * ORDERS, BUYERS])
      expect(await figures(environment)).toEqual({ orders: ORDERS, spend: ORDERS * 2750, first: BUYERS })
    })
})

const TABLES = ['orders', 'order_items', 'customers'] as const

/** Ends an import as soon as it has taken something, or when it is done. */
async function interrupt(words: string[], environment: Environment, signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  const before = await count(environment, 'orders')
  const { child, ended } = shopwright(words, environment)
  const state = { ended: false }
  const waiting = ended.then(() => {
    state.ended = true
  })
  while (!state.ended && (await count(environment, 'orders')) === before) await sleep(LOOK_MS)
  child.kill(signal)
  await waiting
  const { code, stderr } = await ended
  if (code === 130) expect(stderr).toContain('the same command goes on from there')
  expect(await count(environment, 'orders')).toBeGreaterThan(before)
}

function count(environment: Environment, table: (typeof TABLES)[number]): Promise<number> {
  return withDatabase(readSettings(environment), async ({ read }) => {
    const row = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  })
}

/** What customers have bought by their figures, and how many orders nobody bought anything before. */
function figures(environment: Environment) {
  return withDatabase(readSettings(environment), async ({ read }) => {
    const sums = await read
      .selectFrom('customers')
      .select(({ fn }) => [fn.sum('orders_count').as('orders'), fn.sum('total_spend').as('spend')])
      .executeTakeFirstOrThrow()
    const first = await read.selectFrom('orders').select('id').where('previous_paid_at', 'is', null).execute()
    return { orders: Number(sums.orders), spend: Number(sums.spend), first: first.length }
  })
}

function ordersText(): string {
  const head = ['Name', 'Email', 'Financial Status', 'Paid at', 'Currency', 'Total', 'Lineitem quantity']
  const lines = [csvLine([...head, 'Lineitem name', 'Lineitem price', 'Id'])]
  for (let row = 0; row < ORDERS; row++) {
    // No file is in the order of time.
    const moment = new Date(1_700_000_000_000 + ((row * 7919) % ORDERS) * 60_000).toISOString()
    const buyer = `buyer${row % BUYERS}@example.com`
    lines.push(
      csvLine([`#${row}`, buyer, 'paid', `${moment.slice(0, 19)}Z`, 'USD', '27.50', '1', 'Mug', '18.00', `${row}`]),
    )
    lines.push(csvLine([`#${row}`, buyer, '', '', '', '', '1', 'Letter set', '9.50', '']))
  }
  return lines.join('')
}
