import fc from 'fast-check'
import { DAY, dayOf, type Minutes, written } from './moments.ts'
import type { RealShop } from './real-shop.ts'
import type { Code, Price, Product, Rate, State, Terms } from './state.ts'

/** A shop before anybody has bought. */
export interface Catalog {
  now: Minutes
  rates: State['rates']
  prices: (Omit<Price, 'name' | 'product' | 'archived' | 'sold'> & { product: number })[]
  codes: (Omit<Code, 'name' | 'products' | 'prices' | 'held' | 'on' | 'until'> & {
    product: number | null
    price: number | null
    days: number | null
  })[]
}

const PRODUCTS = 2
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const money = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constantFrom(1, 999, 999, 1999, 99_999))
const product = fc.nat(PRODUCTS - 1)
const currency = fc.oneof({ weight: 5, arbitrary: fc.constant('usd') }, { weight: 1, arbitrary: fc.constant('eur') })
const stock = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null, freq: 1 })
const none = { least: null, most: null, preset: null, terms: null, revokeDays: null }

const fixed = fc.record({
  ...{ product, currency, stock, kind: fc.constant('fixed' as const), amount: money },
  ...{ revokeDays: maybe(fc.constantFrom(1, 30)) },
})
const free = fc.record({ product, currency, stock, kind: fc.constant('free' as const), amount: fc.constant(0) })
const custom = fc
  .record({ product, currency, stock, least: maybe(fc.constantFrom(0, 500)), preset: maybe(fc.constantFrom(500, 700)) })
  .map((one) => ({ ...one, kind: 'custom' as const, amount: 0, most: 5000 }))
const terms = fc.record<Terms>({
  ...{
    interval: fc.constantFrom('month', 'month', 'month', 'week', 'year', 'day'),
    count: fc.integer({ min: 1, max: 3 }),
  },
  ...{ instalments: maybe(fc.integer({ min: 2, max: 3 })), fee: fc.constantFrom(0, 0, 500) },
  trialDays: maybe(fc.constantFrom(1, 14, 40)),
})
const recurring = fc
  .record({ product, currency, stock, kind: fc.constant('fixed' as const), amount: money, terms })
  .map((one) =>
    one.terms.interval === 'day' ? { ...one, terms: { ...one.terms, count: one.terms.count * 7 + 1 } } : one,
  )
const prices = fc.oneof(
  { weight: 4, arbitrary: fixed },
  { weight: 1, arbitrary: free },
  { weight: 1, arbitrary: custom },
  { weight: 5, arbitrary: recurring },
)

const codes = fc
  .record({
    percent: maybe(fc.constantFrom(10_000, 5000, 3333, 1250, 1)),
    off: fc.constantFrom(1, 500, 100_000),
    ...{ duration: fc.constantFrom('once' as const, 'repeating', 'forever'), months: fc.constantFrom(1, 2, 3) },
    ...{ product: maybe(product), price: maybe(fc.nat(3)), most: maybe(fc.integer({ min: 1, max: 3 })) },
    days: maybe(fc.constantFrom(1, 10, 60)),
  })
  .map((one) => ({
    ...one,
    off: one.percent === null ? one.off : null,
    currency: one.percent === null ? 'usd' : null,
    months: one.duration === 'repeating' ? one.months : null,
  }))

/** Moments whose months and years end in every way. */
const moments = fc.oneof(
  fc.constantFrom(dayOf(2027, 1, 31), dayOf(2028, 2, 29), dayOf(2027, 8, 31), dayOf(2027, 12, 31)),
  fc.integer({ min: dayOf(2027, 1, 1), max: dayOf(2029, 1, 1) }),
)

const rate = fc.record<Rate>({
  share: fc.constantFrom(190_000, 200_000, 72_500, 88_750, 1, 1_000_000),
  inclusive: fc.boolean(),
})
const rates = fc.record({ DE: rate, FR: rate }, { requiredKeys: [] })

export const catalogs: fc.Arbitrary<Catalog> = fc.record({
  rates,
  now: fc.tuple(moments, fc.nat(DAY - 1)).map(([day, minute]) => day * DAY + minute),
  prices: fc.array(
    prices.map((one) => ({ ...none, ...one })),
    { minLength: 4, maxLength: 7 },
  ),
  codes: fc.array(codes, { minLength: 2, maxLength: 4 }),
})

/** The model's shop with this catalogue. */
export function stateOf({ now, rates, prices, codes }: Catalog): State {
  const products = Array.from({ length: PRODUCTS }, (_, n): Product => ({ name: `product ${n + 1}`, status: 'active' }))
  const made = prices.map((one, n): Price => {
    return { ...one, name: `price ${n + 1}`, product: products[one.product]!, archived: false, sold: false }
  })
  const known = codes.map(({ product, price, days, ...one }, n): Code => {
    const targets = {
      products: product === null ? [] : [products[product]!],
      prices: price === null ? [] : [made[price]!],
    }
    return {
      ...one,
      ...targets,
      name: `CODE${n + 1}`,
      until: days === null ? null : now + days * DAY,
      on: true,
      held: 0,
    }
  })
  return {
    ...{
      now,
      currency: 'usd',
      rates,
      products,
      prices: made,
      codes: known,
      customers: [],
      checkouts: [],
      payments: [],
    },
    ...{ orders: [], refunds: [], invoices: [], subscriptions: [], grants: [], events: [] },
  }
}

/** Makes the same catalogue in the real shop. */
export async function stockShop(shop: RealShop, { rates, products, prices, codes }: State): Promise<void> {
  const tax_rates = Object.entries(rates).map(([country, { share, inclusive }]) => {
    return { country, percent: share / 10_000, inclusive }
  })
  await shop.call('PATCH', '/account', { tax_rates })
  for (const { name, status } of products) await shop.create('/products', name, { name, status })
  for (const price of prices) await shop.create('/price_variants', price.name, bodyOfPrice(shop, price))
  for (const code of codes) await shop.create('/discounts', code.name, bodyOfCode(shop, code))
}

function bodyOfPrice(shop: RealShop, { name, product, kind, amount, currency, terms, ...price }: Price) {
  return {
    ...{ product_id: shop.idOf(product.name), name, amount_type: kind, amount, currency },
    ...{ quantity_available: price.stock, revoke_after_days: price.revokeDays },
    ...(kind === 'custom' && {
      ...{ minimum_amount: price.least, maximum_amount: price.most, preset_amount: price.preset },
    }),
    ...(terms && {
      ...{ billing_type: 'subscription', recurring_interval: terms.interval, interval_count: terms.count },
      ...{
        installment_count: terms.instalments,
        trial_period_days: terms.trialDays,
        setup_fee_amount: terms.fee || null,
      },
    }),
  }
}

function bodyOfCode(shop: RealShop, { name, percent, off, currency, duration, months, most, until, ...code }: Code) {
  return {
    ...{ code: name, discount_type: percent === null ? 'amount_off' : 'percent_off', amount_off: off, currency },
    ...{ percent_off: percent === null ? null : percent / 100, duration, duration_in_months: months },
    ...{ max_redemptions: most, redeem_by: until === null ? null : written(until) },
    applies_to_product_ids: code.products.map((one) => shop.idOf(one.name)),
    price_variants: code.prices.map((one) => shop.idOf(one.name)),
  }
}
