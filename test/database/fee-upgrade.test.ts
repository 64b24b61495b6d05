import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadMigrations } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Tables } from '../../src/resources/tables.ts'
import { engines, freshDirectory, freshPostgresUrl } from './engines.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)
const [THEN, LATER] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z']
const ACCOUNT = 'acct_1'

type Values = Record<string, string | number | null>

/** Rows of a shop that sold tea, and that paid fees as versions before 0055 booked them: as orders of its own. */
const ROWS: [table: string, values: Values][] = [
  account(),
  customer('cus_founder', { orders_count: 2, total_spend: 29_900 + 29_900, created_at: THEN }),
  customer('cus_buyer', { orders_count: 2, total_spend: 29_900 + 500, created_at: '2025-06-01T00:00:00Z' }),
  ...fee(1, 'cus_founder', THEN),
  ...fee(2, 'cus_founder', LATER),
  ...fee(3, 'cus_buyer', LATER),
  ...order('ord_tea', 'cus_buyer', { checkout: 'co_tea', amount: 500, created_at: LATER }),
  checkout('co_tea', { order: 'ord_tea', customer: 'cus_buyer' }),
]

for (const engine of engines) {
  describe.skipIf(!engine.available)(`fees of earlier versions, on ${engine.name}`, () => {
    let place: { directory: string; databaseUrl: string | undefined }
    let undo: () => Promise<unknown>
    beforeEach(async () => {
      const { directory, remove } = await freshDirectory()
      const server = engine.name === 'postgres' ? await freshPostgresUrl() : undefined
      place = { directory, databaseUrl: server?.url }
      undo = () => Promise.all([remove(), server?.remove()])
    })
    afterEach(() => undo())

    it('are orders, customers and revenue of the account no more', async () => {
      const migrations = await loadMigrations(MIGRATIONS)
      const before = migrations.filter(({ name }) => name < '0055')
      const old = await openDatabase<Tables>({ ...place, migrations: before })
      await old.transaction(async ({ db }) => {
        for (const [table, values] of ROWS)
          await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
            values (${sql.join(Object.values(values))})`.execute(db)
      })
      await old.close()
      const database = await openDatabase<Tables>({ ...place, migrations })
      const ids = async (table: keyof Tables) =>
        (await database.read.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
      expect(await ids('orders')).toEqual(['ord_tea'])
      expect(await ids('order_items')).toEqual(['item_ord_tea'])
      expect(await ids('charges')).toEqual(['ch_ord_tea'])
      const people = database.read
        .selectFrom('customers')
        .select(['id', 'orders_count', 'total_spend', 'customer_type'])
      expect(await people.execute()).toMatchObject([
        { id: 'cus_buyer', orders_count: 1, total_spend: 500, customer_type: 'paid' },
      ])
      const payments = database.read.selectFrom('payments').select(['id', 'formation', 'order_id', 'amount'])
      expect(await payments.orderBy('id').execute()).toMatchObject([
        { id: 'pay_ord_1', formation: 'fmtn_1', order_id: '', amount: 29_900 },
        { id: 'pay_ord_2', formation: 'fmtn_2', order_id: '' },
        { id: 'pay_ord_3', formation: 'fmtn_3', order_id: '' },
        { id: 'pay_ord_tea', formation: null, order_id: 'ord_tea' },
      ])
      const checkouts = database.read.selectFrom('checkouts').select(['id', 'order', 'customer'])
      expect(await checkouts.orderBy('id').execute()).toMatchObject([
        { id: 'co_1', order: null, customer: null },
        { id: 'co_2', order: null, customer: null },
        { id: 'co_3', order: null, customer: null },
        { id: 'co_tea', order: 'ord_tea', customer: 'cus_buyer' },
      ])
      await database.close()
    })
  })
}

function account(): [string, Values] {
  const values = { name: 'Tea', subdomain: 'tea', default_currency: 'usd', timezone: 'UTC', credit_balance: 0, test: 0 }
  return ['accounts', { account_id: ACCOUNT, id: ACCOUNT, ...values, created_at: THEN, updated_at: THEN }]
}

function customer(id: string, values: Values): [string, Values] {
  const known = { email: `${id}@example.com`, customer_type: 'paid', metadata: '{}', search_text: '', updated_at: THEN }
  return ['customers', { account_id: ACCOUNT, id, ...known, ...values }]
}

function checkout(id: string, values: Values): [string, Values] {
  return [
    'checkouts',
    {
      ...{ account_id: ACCOUNT, id, status: 'complete', mode: 'payment', line_items: '[]', lines: '[]' },
      ...{ currency: 'usd', subtotal: 500, amount_discount: 0, amount_tax: 0, total: 500, processor: 'test' },
      ...{ failed_tries: 0, expires_at: LATER, metadata: '{}', created_at: THEN, updated_at: THEN },
      ...values,
    },
  ]
}

function fee(number: number, customer: string, created_at: string): [string, Values][] {
  const [co, formation, id] = [`co_${number}`, `fmtn_${number}`, `ord_${number}`]
  const form = { entity_type: 'LLC', state: 'WY', naics_code: '541511', description: 'Tea', name_options: '[]' }
  return [
    ...order(id, customer, { checkout: co, amount: 29_900, created_at }),
    checkout(co, { order: id, customer, formation }),
    [
      'formations',
      {
        ...{ account_id: ACCOUNT, id: formation, ...form, members: '[]', responsible_party: '{}' },
        ...{ mailing_address: '{}', status: 'pending', payment_status: 'paid', amount: 29_900, currency: 'usd' },
        ...{ checkout: co, paid_inline: 0, admin_notes: '[]', price_variant: 'price_1', submissions: 0 },
        ...{ created_at: THEN, updated_at: THEN },
      },
    ],
  ]
}

function order(id: string, customer: string, { checkout = null, amount = 0, created_at = THEN }: Values) {
  const [own, money] = [
    { account_id: ACCOUNT, created_at },
    { currency: 'usd', amount },
  ]
  const rows: [string, Values][] = [
    [
      'orders',
      {
        ...{ ...own, id, ...money, customer, checkout, status: 'succeeded', subtotal: amount, amount_discount: 0 },
        ...{ amount_refunded: 0, amount_refunding: 0, charge: `ch_${id}`, processor: 'test', paid_at: created_at },
        ...{ metadata: '{}', updated_at: created_at },
      },
    ],
    [
      'order_items',
      {
        ...{ ...own, id: `item_${id}`, ...money, order: id, line: 1, price_variant: 'price_1', product: 'prod_1' },
        ...{ quantity: 1, unit_amount: amount, setup_fee_amount: 0, amount_discount: 0, amount_refunded: 0 },
        ...{ product_name: 'Tea', price_variant_name: 'Default', order_status: 'succeeded', paid_at: created_at },
      },
    ],
    [
      'charges',
      {
        ...{ ...own, id: `ch_${id}`, ...money, order: id, payment: `pay_${id}`, amount_refunded: 0 },
        ...{ status: 'succeeded', processor: 'test' },
      },
    ],
    [
      'payments',
      {
        ...{ ...own, id: `pay_${id}`, ...money, status: 'succeeded', order_id: id, checkout, provider: 'test' },
        ...{ reference: 'ref', expires_at: LATER, updated_at: created_at },
      },
    ],
    [
      'access_grants',
      {
        ...{ account_id: ACCOUNT, id: `grant_${id}`, customer, product: 'prod_1', price_variant: 'price_1' },
        ...{ order_id: id, starts_at: created_at },
      },
    ],
  ]
  return rows
}
