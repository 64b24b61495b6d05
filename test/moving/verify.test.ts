import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { SOURCES, type Source } from '../../src/features/importing/formats/format.ts'
import { FORMATS } from '../../src/features/importing/formats/formats.ts'
import { type Verified, verify } from '../../src/integrity/verify.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { fileOf, importInto, sample } from './importing.ts'

const CSV = {
  products: `id,name,status,price_id,price_name,amount,currency,billing_type,recurring_interval
mug,Mug,active,mug-blue,Blue,12.50,usd,,
club,Tea Club,active,club-monthly,Monthly,9.00,usd,subscription,month
`,
  customers: 'id,email,name\n42,ada@example.com,Ada Lovelace\n',
  subscriptions: `id,customer_email,price_id,product_name,price_name,unit_amount,currency,interval,status,started_at,current_period_start,current_period_end,trial_ends_at
s-1,ada@example.com,club-monthly,Tea Club,Monthly,9.00,usd,month,active,2025-01-15,2025-03-15,2025-04-15,
s-2,eve@example.com,club-monthly,Tea Club,Monthly,9.00,usd,month,trialing,2025-03-15,2025-03-15,2099-04-15,2099-04-15
s-3,eve@example.com,,Old Club,Yearly,99.00,eur,year,canceled,2020-03-15,2021-03-15,2022-03-15,
`,
  orders: `id,customer_email,status,currency,amount,amount_discount,amount_tax,amount_refunded,paid_at,subscription,line_price_id,line_product_name,line_quantity,line_unit_amount
1,ada@example.com,succeeded,usd,45.00,5.00,0,0,2025-03-05,,mug-blue,Mug,2,12.50
1,ada@example.com,succeeded,usd,45.00,5.00,0,0,2025-03-05,,,Gift box,1,25.00
2,ada@example.com,partially_refunded,jpy,1200,0,100,333,2025-03-06,,,Vase,1,1100
3,eve@example.com,refunded,kwd,1.234,0,0,1.234,2025-03-07,,,,,
4,new@example.com,disputed,eur,0.03,0,0,0.01,2025-03-08,,,Three,3,0.01
5,ada@example.com,paid,usd,9.00,0,0,0,2025-01-15,s-1,club-monthly,Tea Club,1,9.00
6,ada@example.com,paid,usd,9.00,0,0,4.50,2025-02-15,s-1,club-monthly,Tea Club,1,9.00
7,ada@example.com,paid,usd,0,0,0,0,2025-02-16,,mug-blue,Mug,1,0
`,
}

/** Files of every format of a source; orders come last. */
const FILES: Record<Source, ReturnType<typeof sample>[]> = {
  shopify: ['products', 'customers', 'orders'].map((kind) => sample(`shopify-${kind}`)),
  stripe: ['products', 'prices', 'customers', 'subscriptions', 'payments', 'invoices'].map((kind) =>
    sample(`stripe-${kind}`),
  ),
  csv: Object.entries(CSV).map(([kind, text]) => fileOf(kind, text)),
}

const PAID = `channel = 'import' and paid_at is not null`
const ITEM = `order_status <> 'pending'`

/** Damage to imported rows, and its repair. */
const DAMAGE: [string, { breaks: string; mends: string; where: string }, string][] = [
  ['orders', { ...plus('amount'), where: PAID }, 'Orders have items that add up to another amount'],
  ['orders', { ...plus('amount_refunded'), where: PAID }, 'Orders have items that gave back another amount'],
  ['orders', { ...plus('amount_refunding'), where: PAID }, 'Orders have pending refunds that add up to another amount'],
  ['order_items', { ...plus('amount'), where: ITEM }, 'Orders have items that add up to another amount'],
  ['customers', { ...plus('orders_count'), where: 'true' }, 'orders_count of customers is not'],
  ['subscriptions', { ...plus('payments_count'), where: 'true' }, 'payments_count of subscriptions is not'],
  ['customers', { ...plus('total_spend'), where: 'true' }, 'total_spend of customers is not'],
]

function plus(column: string) {
  return { breaks: `${column} = ${column} + 1`, mends: `${column} = ${column} - 1` }
}

const { references, storedFiles } = PRODUCT
const jobs = PRODUCT.jobs.map(({ name }) => name)

describe('npm run verify after an import', () => {
  onEachEngine((shop) => {
    const look = (): Promise<Verified> => {
      const moment = {
        engine: shop.running.app.database.engine,
        ...{ db: shop.db, damage: async () => [], close: async () => {} },
      }
      return verify(moment, {
        ...{ directory: shop.running.dataDirectory, jobs, references, storedFiles, hashes: false },
        again: async () => moment,
      })
    }
    const problems = async () =>
      (await look()).findings
        .filter(({ severity }) => severity === 'wrong')
        .map(({ problem, places }) => [problem, ...places].join('\n'))

    describe.each(SOURCES)('from %s', (source) => {
      let life: Rehearsal
      beforeAll(async () => {
        life = await rehearse(shop)
      })

      it('finds nothing wrong, also when its files come twice', async () => {
        const files = FILES[source]
        const { reports } = await importInto(life.shop, source, files)
        expect(new Set(Object.values(reports).map(({ format }) => format))).toEqual(new Set(FORMATS[source]))
        expect(await problems()).toEqual([])
        await importInto(life.shop, source, files.toReversed())
        expect(await problems()).toEqual([])
      })

      it('finds nothing wrong when imported subscriptions are resumed and paid', async () => {
        for (const paused of (await life.shop.get('/subscriptions?status=paused')).data) await goOn(life, paused)
        expect(await problems()).toEqual([])
      })

      it('finds nothing wrong after refunds of imported orders were refused', async () => {
        const orders = (await life.shop.get('/orders?channel=import')).data
        for (const { id } of orders) expect((await life.shop.api('POST', '/refunds', { order: id })).status).toBe(400)
        expect(await problems()).toEqual([])
      })

      const imported = DAMAGE.filter(([table]) => table !== 'subscriptions' || source !== 'shopify')
      it.each(imported)('finds damage: %s', async (table, change, problem) => {
        const { database } = shop.running.app
        const where = `account_id = '${life.shop.accountId}' and ${change.where}`
        const changes = (sets: string) => sql.raw(`update ${table} set ${sets} where ${where}`)
        await database.transaction(({ db }) => changes(change.breaks).execute(db))
        expect((await problems()).join('\n')).toContain(problem)
        await database.transaction(({ db }) => changes(change.mends).execute(db))
        expect(await problems()).toEqual([])
      })
    })
  })
})

/** Resumes a subscription; one that is due is paid at the link that its buyer gets, and renews by the card that was entered there. */
async function goOn(life: Rehearsal, { id, current_period_end }: Body): Promise<void> {
  await life.act(id, 'resume')
  if (current_period_end > '2040') return
  await life.past('2035-02-01T00:00:00Z')
  const open = life.shop.db.selectFrom('checkouts').select('id').where('subscription', '=', id)
  await life.pay((await open.where('status', '=', 'open').executeTakeFirstOrThrow()).id, '4242424242424242')
  expect(await life.pastPeriod(id)).toMatchObject({ status: 'active' })
}
