import { describe, expect, it } from 'vitest'
import { requireRow } from '../../src/records/records.ts'
import { Checkout } from '../../src/resources/sales/checkout/checkout.ts'
import { updateCheckout } from '../../src/resources/sales/checkout/update.ts'
import { asBuyer, offerOfLink, offerOfPrice, openLink, openPrice } from '../support/opening.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

const PAST = '2020-01-01T00:00:00Z'
const SUBSCRIPTION = { amount: 900, billing_type: 'subscription', recurring_interval: 'month' }

onEachEngine((shop) => {
  const link = async (values: Record<string, unknown> = {}): Promise<Body> => {
    const { price_variants = [(await priceForSale(shop)).id], ...more } = values
    return shop.post('/checkout_links', { price_variants, ...more })
  }
  const refused = (body: object) => shop.refusal('POST', '/checkout_links', body)

  describe('A checkout link', () => {
    it('is made with prices, and has an address to share', async () => {
      const [book, pen] = [await priceForSale(shop), await priceForSale(shop)]
      const code = await shop.discount()
      const made = await link({
        ...{ price_variants: [book.id, pen.id, book.id], name: 'Spring', discount: code.id },
        ...{ success_url: 'https://shop.example/thanks', metadata: { campaign: 'spring' } },
      })
      expect(made).toMatchObject({
        ...{ object: 'checkout_link', price_variants: [book.id, pen.id], discount: code.id, name: 'Spring' },
        ...{ allow_discount_codes: true, active: true, metadata: { campaign: 'spring' } },
        url: `${shop.running.url}/l/${made.id}`,
      })
      const expanded = await shop.get(`/checkout_links/${made.id}?expand=price_variants,discount`)
      expect(expanded).toMatchObject({ price_variants: [{ id: book.id }, { id: pen.id }], discount: { id: code.id } })
      const off = await link({ active: false })
      const ids = await shop.listed('/checkout_links?active=false')
      expect(ids).toContain(off.id)
      expect(ids).not.toContain(made.id)
    })

    it('sells prices that can be bought together', async () => {
      const book = await priceForSale(shop)
      const otherOfBook = await shop.price(book.product)
      const [club, society] = [await priceForSale(shop, SUBSCRIPTION), await priceForSale(shop, SUBSCRIPTION)]
      const euros = await priceForSale(shop, { currency: 'eur' })
      const wrong: [string[], string][] = [
        [[], "can't be blank"],
        [[book.id, otherOfBook.id], 'can contain at most one price of each product'],
        [[club.id, society.id], 'can contain at most one subscription'],
        [[club.id, book.id], 'cannot mix a subscription with other prices'],
        [[book.id, euros.id], 'must be in one currency, not usd and eur'],
      ]
      for (const [price_variants, words] of wrong)
        expect(await refused({ price_variants })).toEqual({ price_variants: [words] })
      expect(await refused({})).toEqual([400, 'parameter_missing', 'price_variants'])
      expect(await refused({ price_variants: [book.id, 'price_none'] })).toEqual([
        404,
        'resource_missing',
        'price_variants.1',
      ])
      expect(await link({ price_variants: [club.id] })).toMatchObject({ price_variants: [club.id] })
      const draft = await priceForSale(shop, {}, { status: 'draft' })
      expect(await link({ price_variants: [draft.id] })).toMatchObject({ active: true })
    })

    it('takes a discount that can be used for its prices when it is set', async () => {
      const book = await priceForSale(shop)
      const body = { price_variants: [book.id] }
      const wrong: [Body, string][] = [
        [await shop.discount({ status: 'inactive' }), 'is switched off'],
        [await shop.discount({ starts_at: '2099-01-01T00:00:00Z' }), 'cannot be used before 2099-01-01T00:00:00Z'],
        [
          await shop.discount({ applies_to_product_ids: [(await priceForSale(shop)).product] }),
          'does not apply to any of the items',
        ],
        [
          await shop.discount({
            ...{ discount_type: 'amount_off', percent_off: null },
            amount_off: 5,
            currency: 'eur',
          }),
          'works only for purchases in eur',
        ],
      ]
      for (const [{ id }, words] of wrong) {
        expect(await refused({ ...body, discount: id })).toEqual({ discount: [words] })
        const { id: made } = await link(body)
        expect(await shop.refusal('PATCH', `/checkout_links/${made}`, { discount: id })).toEqual({ discount: [words] })
      }
      const over = await shop.discount()
      await shop.set('discounts', over.id, { redeem_by: PAST })
      expect(await refused({ ...body, discount: over.id })).toEqual({ discount: ['has expired'] })
      expect(await refused({ ...body, discount: 'disc_none' })).toEqual([404, 'resource_missing', 'discount'])
    })

    it('changes field by field, under the same rules', async () => {
      const [book, pen] = [await priceForSale(shop), await priceForSale(shop)]
      const code = await shop.discount({ price_variants: [book.id] })
      const made = await link({ price_variants: [book.id], discount: code.id, success_url: 'https://a.example/' })
      const path = `/checkout_links/${made.id}`
      expect(await shop.refusal('PATCH', path, { price_variants: [pen.id] })).toEqual({
        discount: ['does not apply to any of the items'],
      })
      await shop.set('discounts', code.id, { redeem_by: PAST })
      expect(await shop.patch(path, { price_variants: [book.id, pen.id] })).toMatchObject({
        ...{ price_variants: [book.id, pen.id], discount: code.id },
      })
      expect(await shop.patch(path, { discount: null, price_variants: [pen.id] })).toMatchObject({
        ...{ price_variants: [pen.id], discount: null, success_url: 'https://a.example/' },
      })
      const events = await shop.eventsOf(async () => {
        const changed = await shop.patch(path, { name: 'New', active: false, success_url: null })
        expect(changed).toMatchObject({ name: 'New', active: false, success_url: null, price_variants: [pen.id] })
      })
      expect(events).toMatchObject([{ type: 'checkout_link.updated', previous: { name: null, active: true } }])
      expect(await shop.refusal('PATCH', path, { price_variants: [] })).toEqual({ price_variants: ["can't be blank"] })
      expect(await shop.refusal('PATCH', path, { success_url: 'javascript:alert(1)' })).toHaveProperty('success_url')
      expect(await shop.delete(path)).toEqual({ id: made.id, object: 'checkout_link', deleted: true })
      expect(await shop.refusal('GET', path)).toEqual([404, 'resource_missing'])
    })

    it('loses prices and discounts that are deleted, and becomes inactive without prices', async () => {
      const [book, pen] = [await priceForSale(shop), await priceForSale(shop)]
      const code = await shop.discount()
      const made = await link({ price_variants: [book.id, pen.id], discount: code.id })
      const shown = () => shop.get(`/checkout_links/${made.id}`)
      const events = await shop.eventsOf(() => shop.delete(`/price_variants/${book.id}`))
      expect(events.map(({ type }) => type)).toEqual(['checkout_link.updated', 'price_variant.deleted'])
      expect(await shown()).toMatchObject({ price_variants: [pen.id], active: true })
      await shop.delete(`/discounts/${code.id}`)
      expect(await shown()).toMatchObject({ discount: null })
      await shop.delete(`/products/${pen.product}`)
      expect(await shown()).toMatchObject({ price_variants: [], active: false })
      expect(await shop.refusal('PATCH', `/checkout_links/${made.id}`, { active: true })).toEqual({
        price_variants: ["can't be blank"],
      })
      const again = (await priceForSale(shop)).id
      expect(await shop.patch(`/checkout_links/${made.id}`, { active: true, price_variants: [again] })).toMatchObject({
        active: true,
      })
    })
  })

  describe('Opening a link', () => {
    it('opens a checkout of one of each price, with the discount, the page and the metadata of the link', async () => {
      const [book, pen] = [await priceForSale(shop, { amount: 2000 }), await priceForSale(shop, { amount: 500 })]
      const code = await shop.discount({ percent_off: 10 })
      const made = await link({
        ...{ price_variants: [book.id, pen.id], discount: code.id },
        ...{ success_url: 'https://shop.example/thanks', metadata: { campaign: 'spring' } },
      })
      const open = await openLink(shop, made.id)
      expect(open).toMatchObject({
        ...{ status: 'open', subtotal: 2500, total: 2250, discount_code: code.code, email: null },
        ...{ success_url: 'https://shop.example/thanks', metadata: { campaign: 'spring' } },
        checkout_items: [
          { price_variant: book.id, quantity: 1 },
          { price_variant: pen.id, quantity: 1 },
        ],
      })
      expect((await openLink(shop, made.id)).id).not.toBe(open.id)
      await shop.patch(`/checkouts/${open.id}`, { email: 'linked@example.com' })
      expect(await pay(shop, open.id)).toMatchObject({ status: 'complete' })
    })

    it('is a 404 for buyers while it is inactive', async () => {
      const made = await link({ active: false })
      await expect(openLink(shop, made.id)).rejects.toMatchObject({ code: 'resource_missing' })
      await shop.patch(`/checkout_links/${made.id}`, { active: true })
      expect(await openLink(shop, made.id)).toMatchObject({ status: 'open' })
    })

    it('leaves out what cannot be bought, and says why', async () => {
      const [book, pen] = [await priceForSale(shop), await priceForSale(shop, { quantity_available: 0 })]
      const [old, draft] = [await priceForSale(shop), await priceForSale(shop, {}, { status: 'draft' })]
      await shop.patch(`/price_variants/${old.id}`, { archived: true })
      const code = await shop.discount()
      const made = await link({ price_variants: [pen.id, book.id, old.id, draft.id], discount: code.id })
      await shop.set('discounts', code.id, { redeem_by: PAST })
      const offer = await offerOfLink(shop, made.id)
      expect(offer.items.map(({ line, problem }) => [line.price_variant, problem])).toEqual([
        [pen.id, 'is sold out'],
        [book.id, null],
        [old.id, 'is not for sale'],
        [draft.id, 'is not for sale'],
      ])
      expect(offer).toMatchObject({ refusedCode: { code: code.code, problem: 'has expired' }, priced: { total: 1000 } })
      expect(await openLink(shop, made.id)).toMatchObject({
        ...{ total: 1000, discount: null, checkout_items: [{ price_variant: book.id }] },
      })
      await shop.patch(`/price_variants/${book.id}`, { archived: true })
      expect(await offerOfLink(shop, made.id)).toMatchObject({ priced: null, problem: null })
      await expect(openLink(shop, made.id)).rejects.toMatchObject({
        details: { errors: { 'line_items.1.price_variant': ['is not for sale'] } },
      })
    })

    it('says when its prices can no longer be bought together', async () => {
      const [book, pen] = [await priceForSale(shop), await priceForSale(shop)]
      const made = await link({ price_variants: [book.id, pen.id] })
      await shop.patch(`/price_variants/${pen.id}`, { currency: 'eur' })
      const problem = 'must be in one currency, not usd and eur'
      expect(await offerOfLink(shop, made.id)).toMatchObject({ priced: null, problem })
      await expect(openLink(shop, made.id)).rejects.toMatchObject({ details: { errors: { line_items: [problem] } } })
    })

    it('lets its buyers enter codes only where it says so', async () => {
      const code = await shop.discount()
      const enter = async (made: Body) => {
        const { id } = await openLink(shop, made.id)
        const entered = asBuyer(shop, async (context) =>
          updateCheckout(context, await requireRow(context, Checkout, id), { discount_code: code.code }),
        )
        return { id, entered }
      }
      const allowed = await enter(await link())
      expect(await allowed.entered).toMatchObject({ discount: code.id })
      const closed = await enter(await link({ allow_discount_codes: false }))
      await expect(closed.entered).rejects.toMatchObject({
        details: { errors: { discount_code: ['cannot be entered for this purchase'] } },
      })
      const byShop = await shop.patch(`/checkouts/${closed.id}`, { discount_code: code.code })
      expect(byShop).toMatchObject({ discount: code.id })
    })
  })

  it('The purchase_url of a price behaves as a link of one item', async () => {
    const hidden = await priceForSale(shop, { amount: 700, hidden: true })
    expect(await offerOfPrice(shop, hidden.id)).toMatchObject({ items: [{ problem: null }], priced: { total: 700 } })
    expect(await openPrice(shop, hidden.id)).toMatchObject({ total: 700, checkout_items: [{ quantity: 1 }] })
    const custom = await priceForSale(shop, { amount_type: 'custom', amount: null })
    expect(await openPrice(shop, custom.id)).toMatchObject({ total: 0, checkout_items: [{ unit_amount: null }] })
    await shop.patch(`/products/${hidden.product}`, { status: 'archived' })
    await expect(openPrice(shop, hidden.id)).rejects.toMatchObject({
      details: { errors: { 'line_items.0.price_variant': ['is not for sale'] } },
    })
  })

  it('An open checkout keeps its prices from being deleted until it is over', async () => {
    const price = await priceForSale(shop)
    const open = await openPrice(shop, price.id)
    expect(await shop.refusal('DELETE', `/price_variants/${price.id}`)).toEqual([400, 'resource_in_use'])
    expect(await shop.refusal('DELETE', `/products/${price.product}`)).toEqual([400, 'resource_in_use'])
    await shop.set('checkouts', open.id, { status: 'expired' })
    await shop.delete(`/products/${price.product}`)
    const [sold] = [await priceForSale(shop)]
    const { id } = await openPrice(shop, sold.id)
    await shop.patch(`/checkouts/${id}`, { email: 'order@example.com' })
    await pay(shop, id, { card: DECLINED })
    await shop.set('checkouts', id, { status: 'expired' })
    expect(await shop.refusal('DELETE', `/price_variants/${sold.id}`)).toEqual([400, 'resource_in_use'])
  })
})
