import { expect, it } from 'vitest'
import type { Noun } from '../../src/contract/declarations/noun.ts'
import { Discount } from '../../src/resources/catalog/discount/discount.ts'
import { PriceVariant } from '../../src/resources/catalog/price-variant/price-variant.ts'
import { Product } from '../../src/resources/catalog/product/product.ts'
import { CheckoutLink } from '../../src/resources/sales/checkout-link/checkout-link.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { type Seen, Visitor } from './visitor.ts'

type Values = Record<string, unknown>

const BUYER = { email: 'ada@example.com', card: '4242424242424242' }
const MONTHLY = { billing_type: 'subscription', recurring_interval: 'month' }

/** What a merchant may change while a buyer looks at the page, by the field; some need another field with them. */
const CHANGES: Record<string, { noun: Noun; path: string; values: Record<string, Values> }> = {
  price: {
    noun: PriceVariant,
    path: '/price_variants',
    values: {
      name: { name: 'Paperback' },
      amount_type: { amount_type: 'free' },
      amount: { amount: 3100 },
      currency: { currency: 'eur' },
      billing_type: { ...MONTHLY },
      recurring_interval: { recurring_interval: 'year' },
      interval_count: { interval_count: 2 },
      installment_count: { installment_count: 7 },
      setup_fee_amount: { setup_fee_amount: 777 },
      trial_period_days: { trial_period_days: 21 },
      revoke_after_days: { revoke_after_days: 10 },
      quantity_available: { quantity_available: 0 },
      discounted_from_amount: { discounted_from_amount: 9900 },
      minimum_amount: { minimum_amount: 600 },
      maximum_amount: { maximum_amount: 9000 },
      preset_amount: { preset_amount: 1700 },
      waitlist: { waitlist: true },
      hidden: { hidden: true },
      archived: { archived: true },
      position: { position: 2 },
      benefits: { benefits: ['Free updates'] },
      experiences: { experience_ids: [] },
    },
  },
  product: {
    noun: Product,
    path: '/products',
    values: {
      name: { name: 'Another book' },
      slug: { slug: 'another-book' },
      status: { status: 'archived' },
      description: { description: 'Other words' },
      body_html: { body_html: '<p>Other words</p>' },
      button_cta: { button_cta: 'Get it' },
      available_from: { available_from: '2090-01-01T00:00:00Z' },
      available_until: { available_until: '2091-01-01T00:00:00Z' },
      media: { media: [] },
      tax_code: { tax_code: 'txcd_10302000' },
      seo_title: { seo_title: 'Other' },
      seo_description: { seo_description: 'Other' },
      metadata: { metadata: { other: 'yes' } },
    },
  },
  link: {
    noun: CheckoutLink,
    path: '/checkout_links',
    values: {
      name: { name: 'Summer' },
      price_variants: {},
      discount: { discount: null },
      allow_discount_codes: { allow_discount_codes: false },
      success_url: { success_url: 'https://shop.example/other' },
      active: { active: false },
      metadata: { metadata: { other: 'yes' } },
    },
  },
  discount: {
    noun: Discount,
    path: '/discounts',
    values: {
      code: { code: 'OTHER' },
      discount_type: { discount_type: 'amount_off', amount_off: 200, currency: 'usd' },
      percent_off: { percent_off: 35 },
      duration: { duration: 'forever' },
      applies_to_product_ids: {},
      amount_off: { amount_off: 300 },
      currency: { currency: 'eur' },
      duration_in_months: { duration_in_months: 9 },
      max_redemptions: { max_redemptions: 5 },
      starts_at: { starts_at: '2090-01-01T00:00:00Z' },
      redeem_by: { redeem_by: '2090-01-01T00:00:00Z' },
      price_variants: {},
      switched: { status: 'inactive' },
      metadata: { metadata: { other: 'yes' } },
    },
  },
}

/** Orders that differ in what their page shows. */
const ORDERS: Record<string, { price: Values; discount: Values | null }> = {
  'bought once': { price: { amount: 2900 }, discount: { percent_off: 20 } },
  'bought with an amount off': {
    price: { amount: 2900 },
    discount: { discount_type: 'amount_off', percent_off: null, amount_off: 500, currency: 'usd' },
  },
  'at a price of the buyer': {
    price: { amount_type: 'custom', amount: null, minimum_amount: 500, maximum_amount: 10_000, preset_amount: 1500 },
    discount: null,
  },
  'by subscription': {
    price: { amount: 2900, ...MONTHLY, setup_fee_amount: 500 },
    discount: { percent_off: 20, duration: 'repeating', duration_in_months: 3 },
  },
  'on trial': {
    price: { amount: 2900, ...MONTHLY, trial_period_days: 14, installment_count: 12 },
    discount: { percent_off: 20, duration: 'repeating', duration_in_months: 3 },
  },
}

onGateEngine(
  (shop) => {
    const visitor = () => new Visitor(shop.running.url)
    const shown = ({ html }: Seen) => html.replaceAll(/name="agreed" value="[^"]*"/g, '')
    const ordersBy = (checkoutsOf: string) =>
      shop.db
        .selectFrom('orders')
        .innerJoin('checkouts', 'checkouts.id', 'orders.checkout')
        .select('orders.id')
        .where('checkouts.link', '=', checkoutsOf)
        .execute()

    /** Something for sale by a link, in parts that can be changed. */
    async function onSale({ price, discount }: (typeof ORDERS)[string]): Promise<Record<string, Body>> {
      const product = await shop.product({ status: 'active' })
      const sold = await shop.price(product.id, price)
      const code = discount && (await shop.discount(discount))
      const link = await shop.post('/checkout_links', {
        price_variants: [sold.id],
        ...(code && { discount: code.id }),
      })
      return { price: sold, product, link, ...(code && { discount: code }) }
    }

    async function otherTargets(name: string, field: string): Promise<Values> {
      const other = await priceForSale(shop, { amount: 100 })
      if (field === 'applies_to_product_ids') return { applies_to_product_ids: [other.product] }
      return name === 'link' ? { price_variants: [other.id], discount: null } : { price_variants: [other.id] }
    }

    it.each(Object.keys(ORDERS))('asks again over whatever changes of what is shown, %s', async (name) => {
      const changed = new Set<string>()
      for (const [part, { path, values }] of Object.entries(CHANGES)) {
        for (const [field, given] of Object.entries(values)) {
          const parts = await onSale(ORDERS[name]!)
          if (!parts[part]) continue
          const before = await visitor().open(parts.link.url)
          const body = Object.keys(given).length === 0 ? await otherTargets(part, field) : given
          const { status } = await shop.api('PATCH', `${path}/${parts[part].id}`, body)
          if (status !== 200) continue
          const after = await visitor().open(parts.link.url)
          if (shown(after) === shown(before)) continue
          expect([field, after.fields.agreed]).not.toEqual([field, before.fields.agreed])
          const late = await visitor().post(before, 'pay', BUYER)
          expect([part, field, [404, 409, 410, 422].includes(late.status)]).toEqual([part, field, true])
          expect(await ordersBy(parts.link.id)).toEqual([])
          changed.add(`${part}.${field}`)
        }
      }
      expect(changed).toContain('product.name')
      expect(changed).toContain('price.currency')
    })

    it('knows a change of every field that can be written', () => {
      for (const { noun, values } of Object.values(CHANGES)) {
        const writable = Object.entries(noun.fields).filter(
          ([, { spec }]) => spec.write === 'always' || spec.write === 'update',
        )
        expect(Object.keys(values).toSorted()).toEqual(writable.map(([field]) => field).toSorted())
      }
    })

    it.each([
      ['the currency', { currency: 'jpy', amount: 5000 }, { currency: 'usd' }, 'Total due today $50.00'],
      ['a purchase to a subscription', { amount: 5000 }, MONTHLY, 'every month until canceled'],
      ['the interval', { amount: 5000, ...MONTHLY }, { recurring_interval: 'week' }, 'every week until canceled'],
      ['the number of intervals', { amount: 5000, ...MONTHLY }, { interval_count: 2 }, 'every 2 months until canceled'],
      ['the instalments', { amount: 5000, ...MONTHLY }, { installment_count: 3 }, '3 payments of $50.00'],
      ['the trial', { amount: 5000, ...MONTHLY, trial_period_days: 30 }, { trial_period_days: 1 }, 'after 1 free day'],
      [
        'what follows a trial',
        { amount: 5000, ...MONTHLY, trial_period_days: 30 },
        { amount: 6000 },
        'then $60.00 every month',
      ],
    ] as [string, Values, Values, string][])(
      'charges nobody who saw a price before a change of %s',
      async (_, price, change, words) => {
        for (const through of ['price', 'link']) {
          const sold = await priceForSale(shop, price)
          const link = await shop.post('/checkout_links', { price_variants: [sold.id] })
          const [address, id] = through === 'price' ? [sold.purchase_url, sold.id] : [link.url, link.id]
          const ada = visitor()
          const page = await ada.open(address)
          await shop.patch(`/price_variants/${sold.id}`, change)
          const asked = await ada.post(page, 'pay', BUYER)
          expect([asked.status, asked.text]).toEqual([409, expect.stringContaining(words)])
          expect(asked.text).toContain('Your order or its terms have changed. Nothing was charged yet')
          expect(await ordersBy(id)).toEqual([])
          expect((await ada.press(asked, 'pay', BUYER)).status).toBe(200)
          expect(await ordersBy(id)).toHaveLength(1)
        }
      },
    )

    it('reads no amount that was typed in another currency', async () => {
      const custom = { amount_type: 'custom', amount: null }
      const price = await priceForSale(shop, { ...custom, currency: 'jpy', minimum_amount: 500 })
      const ada = visitor()
      const page = await ada.open(price.purchase_url)
      await shop.patch(`/price_variants/${price.id}`, { currency: 'usd' })
      const asked = await ada.post(page, 'pay', { ...BUYER, [`amount[${price.id}]`]: '5000' })
      expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('Total due today $5.00')])
    })

    it('keeps the discount of a subscription as it was agreed to, whatever becomes of it while it is paid', async () => {
      const code = await shop.discount({ percent_off: 50, duration: 'forever' })
      const price = await priceForSale(shop, { amount: 2000, ...MONTHLY })
      const link = await shop.post('/checkout_links', { price_variants: [price.id], discount: code.id })
      const ada = visitor()
      const bank = await ada.press(await ada.open(link.url), 'pay', { ...BUYER, card: '4000002500003155' })
      expect(bank.text).toContain('Simulated bank')
      await shop.patch(`/discounts/${code.id}`, { duration: 'once' })
      expect((await ada.press(bank, 'approve')).text).toContain('Thank you for your order')
      const { terms } = await shop.db
        .selectFrom('subscriptions')
        .select('terms')
        .where('price_variant', '=', price.id)
        .executeTakeFirstOrThrow()
      expect(JSON.parse(terms).discount).toMatchObject({ percent_off: 50, duration: 'forever' })
    })
  },
  { CHECKOUT_POSTS_PER_MINUTE: '10000' },
)
