import { describe, expect, it } from 'vitest'
import { formatMoney, minorDigits } from '../../src/format/money.ts'
import { type Chance, randomFrom } from '../support/chance.ts'
import { ownerOf } from '../support/dashboard.ts'
import { times } from '../support/depth.ts'
import { signIn } from '../support/person.ts'
import { type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'
import { words } from '../support/words.ts'

const CURRENCIES = ['usd', 'eur', 'gbp', 'jpy', 'kwd'] as const
const COUNTRIES = ['DE', 'AT', 'FR'] as const
const RATES = [
  { country: 'DE', percent: 19, name: 'VAT', inclusive: true },
  { country: 'AT', percent: 7.25, name: 'Tax', inclusive: false },
]
const SEEDS = times({ gate: 1, deep: 25 })
const DAYS = times({ gate: 3, deep: 5 })
const SUMS = ['gross', 'discounts', 'refunds', 'tax', 'net', 'orders'] as const
type Sums = Record<(typeof SUMS)[number], number>

describe('Money agrees, to the cent,', () => {
  onEachEngine((shop) => {
    it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('in a random shop, %i', async (seed) => {
      const clock = await rehearse(shop, '2036-01-10T10:00:00Z')
      await live(clock, randomFrom(seed))
      await compare(clock.shop)
    })
  })
})

/** Some weeks of a shop: sales in five currencies with discounts and taxes, renewals, invoices, and refunds of all kinds. */
async function live(clock: Rehearsal, chance: Chance): Promise<void> {
  const { shop } = clock
  await shop.patch('/account', { timezone: 'Europe/Berlin', tax_rates: RATES })
  const prices = new Map<string, Body[]>()
  for (const currency of CURRENCIES)
    prices.set(currency, [
      await priceForSale(shop, { amount: 100 + chance(9000), currency }),
      await priceForSale(shop, { amount: 1 + chance(300), currency }),
    ])
  const codes = [(await shop.discount({ percent_off: 33.33 })).code, (await shop.discount({ percent_off: 100 })).code]
  const monthly = await priceForSale(shop, {
    ...{ amount: 1999, billing_type: 'subscription', recurring_interval: 'month', setup_fee_amount: 333 },
  })
  await buy(shop, chance, [{ price_variant: monthly.id }], {})
  for (let day = 11; day < 11 + DAYS; day++) {
    await clock.to(`2036-01-${day}T1${chance(10)}:30:00Z`)
    for (const currency of CURRENCIES) {
      const items = prices
        .get(currency)!
        .slice(chance(2))
        .map(({ id }) => ({ price_variant: id, quantity: 1 + chance(3) }))
      await buy(shop, chance, items, chance(3) ? {} : { discount_code: codes[chance(8) ? 0 : 1] })
    }
    const invoice = await shop.post('/invoices', {
      ...{ price_variant: prices.get('eur')![0].id, quantity: 2, due_at: '2036-03-01T00:00:00Z' },
      ...{ email_address: `billed-${day}@example.com`, country: 'DE' },
    })
    await pay(shop, (await shop.post('/checkouts', { invoice: invoice.id })).id)
  }
  await clock.to('2036-03-12T12:00:00Z')
  await refundSome(shop, chance)
}

async function buy(shop: Shop, chance: Chance, line_items: object[], more: object): Promise<void> {
  const email = `buyer-${chance(6)}@example.com`
  const open = await shop.post('/checkouts', { line_items, email, country: COUNTRIES[chance(3)], ...more })
  if (open.status === 'open') await pay(shop, open.id)
}

async function refundSome(shop: Shop, chance: Chance): Promise<void> {
  for (const order of await allOf(shop, '/orders')) {
    for (let times = chance(4); times > 0; times--) {
      const { amount, amount_refunded, status } = await shop.get(`/orders/${order.id}`)
      const left = amount - amount_refunded
      if (left === 0 || !['succeeded', 'partially_refunded'].includes(status)) break
      await shop.post('/refunds', { order: order.id, ...(chance(4) && { amount: 1 + chance(left) }) })
    }
  }
}

async function compare(shop: Shop): Promise<void> {
  const orders = (await allOf(shop, '/orders')).filter(({ paid_at }) => paid_at !== null)
  const items = (await allOf(shop, '/order_items')).filter(({ paid_at }) => paid_at !== null)
  const refunds = (await allOf(shop, '/refunds')).filter(({ status }) => status === 'succeeded')
  const owner = await ownerOf(shop)
  const days = { from: '2036-01-01', to: '2036-03-31', compare: 'none' }
  expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(CURRENCIES))
  expect(orders.some(({ subscription, checkout }) => subscription && !checkout)).toBe(true)
  for (const name of ['amount_tax', 'amount_discount', 'amount_refunded', 'amount_tax_refunded'])
    expect([name, sum(orders, name) > 0]).toEqual([name, true])
  for (const by of ['product', 'price', 'country', 'channel']) {
    const { currencies } = await owner.get('/reports', { ...days, by })
    for (const { currency, total, points, rows } of currencies) {
      const own = orders.filter((order) => order.currency === currency)
      expect([currency, only(total)]).toEqual([currency, sumsOf(own, own.length)])
      expect(only(total).gross - only(total).refunds - only(total).tax).toBe(total.net)
      expect(summed(points)).toEqual(only(total))
      // An order with two products is in the rows of both.
      const { orders: inRows, ...amounts } = summed(rows)
      expect([by, currency, { ...amounts, orders: total.orders }]).toEqual([by, currency, only(total)])
      expect(inRows).toBeGreaterThanOrEqual(total.orders)
      const ownItems = items.filter((item) => item.currency === currency)
      expect(sumsOf(ownItems, own.length)).toEqual(only(total))
      const returned = refunds.filter((refund) => refund.currency === currency)
      expect([sum(returned, 'amount'), sum(returned, 'amount_tax')]).toEqual([
        total.refunds,
        sum(own, 'amount_tax_refunded'),
      ])
    }
  }
  await compareCharges(shop, orders)
  await comparePages(shop, orders)
}

/** The money that moved: a charge for each paid order, as much as it took and gave back. */
async function compareCharges(shop: Shop, orders: Body[]): Promise<void> {
  const charges = await shop.db.selectFrom('charges').selectAll().where('account_id', '=', shop.accountId).execute()
  const settled = charges.filter(({ status }) => status !== 'failed')
  for (const currency of CURRENCIES) {
    const [own, paid] = [settled, orders].map((all: Body[]) => all.filter((one) => one.currency === currency))
    expect([sum(own!, 'amount'), sum(own!, 'amount_refunded')]).toEqual([
      sum(paid!, 'amount'),
      sum(paid!, 'amount_refunded'),
    ])
  }
}

/** What people read and export. */
async function comparePages(shop: Shop, orders: Body[]): Promise<void> {
  const owner = await ownerOf(shop)
  const person = await signIn(shop.running, owner.caller.userId)
  const base = `/dashboard/${(await shop.get('/account')).subdomain}`
  const days = 'from=2036-01-01&to=2036-03-31&compare=none'
  const exported = rowsIn((await person.get(`${base}/orders.csv`)).html).filter(({ paid_at }) => paid_at)
  expect(exported).toHaveLength(orders.length)
  for (const currency of CURRENCIES) {
    const own = orders.filter((order) => order.currency === currency)
    const expected = sumsOf(own, own.length)
    const page = words((await person.get(`${base}/reports?${days}&currency=${currency}`)).html)
    for (const [label, name] of [
      ['Gross revenue', 'gross'],
      ['Refunds', 'refunds'],
      ['Tax', 'tax'],
      ['Net revenue', 'net'],
    ] as const)
      expect(page).toContain(`${label} ${formatMoney(expected[name], currency)}`.replaceAll(/\s+/g, ' '))
    for (const table of ['points', 'rows']) {
      const { html } = await person.get(`${base}/reports.csv?${days}&currency=${currency}&table=${table}`)
      const rows = rowsIn(html)
      for (const name of ['gross', 'discounts', 'refunds', 'tax', 'net'] as const)
        expect([table, currency, name, minorSum(rows, name, currency)]).toEqual([table, currency, name, expected[name]])
    }
    const lines = exported.filter((row) => row.currency === currency)
    for (const [column, name] of [
      ['amount', 'gross'],
      ['amount_refunded', 'refunds'],
      ['net', 'net'],
    ] as const)
      expect([currency, column, minorSum(lines, column, currency)]).toEqual([currency, column, expected[name]])
  }
  for (const order of orders.slice(0, 5)) {
    const page = words((await person.get(`${base}/orders/${order.id}`)).html)
    expect(page).toContain(`Total ${formatMoney(order.amount, order.currency)}`.replaceAll(/\s+/g, ' '))
  }
}

/** CSV of ours: cells with quotes are those with commas, quotes or line breaks. */
function rowsIn(csv: string): Record<string, string>[] {
  const lines = [...csv.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n))/g)]
  const table: string[][] = [[]]
  for (const [, cell = ''] of lines) {
    table.at(-1)!.push(
      cell
        .replace(/(,|\r\n)$/, '')
        .replace(/^"|"$/g, '')
        .replaceAll('""', '"'),
    )
    if (cell.endsWith('\r\n')) table.push([])
  }
  const [head = [], ...rows] = table.filter((row) => row.length > 0)
  return rows.map((row) => Object.fromEntries(head.map((name, place) => [name, row[place] ?? ''])))
}

function minorSum(rows: Record<string, string>[], name: string, currency: string): number {
  return rows.reduce((all, row) => all + Math.round(Number(row[name]) * 10 ** minorDigits(currency)), 0)
}

function only(figures: Body): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, figures[name]])) as Sums
}

function summed(rows: Body[]): Sums {
  return Object.fromEntries(SUMS.map((name) => [name, sum(rows, name)])) as Sums
}

function sumsOf(rows: Body[], orders: number): Sums {
  const [gross, refunds] = [sum(rows, 'amount'), sum(rows, 'amount_refunded')]
  const tax = sum(rows, 'amount_tax') - sum(rows, 'amount_tax_refunded')
  return { gross, discounts: sum(rows, 'amount_discount'), refunds, tax, net: gross - refunds - tax, orders }
}

function sum(rows: readonly Body[], name: string): number {
  return rows.reduce((all, row) => all + Number(row[name]), 0)
}

async function allOf(shop: Shop, path: string): Promise<Body[]> {
  const rows: Body[] = []
  for (let after = ''; ; after = `&starting_after=${rows.at(-1).id}`) {
    const { data, has_more } = await shop.get(`${path}?limit=100${after}`)
    rows.push(...data)
    if (!has_more) return rows
  }
}
