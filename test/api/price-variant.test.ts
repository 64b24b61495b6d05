import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

const monthly = { billing_type: 'subscription', recurring_interval: 'month', amount: 900 }
const custom = { amount_type: 'custom', amount: null }

describe('A price variant', () => {
  onEachEngine((shop) => {
    const create = async (values: object) => shop.price((await shop.product()).id, { amount: undefined, ...values })
    const refusal = async (values: object) =>
      shop.refusal('POST', '/price_variants', { product_id: (await shop.product()).id, ...values })

    it('has every field, with defaults where nothing was given', async () => {
      const price = await create({ amount: 2900 })
      expect(price).toMatchObject({
        object: 'price_variant',
        name: 'Default',
        amount_type: 'fixed',
        amount: 2900,
        currency: 'usd',
        billing_type: 'one_time',
        recurring_interval: null,
        interval_count: null,
        quantity_available: null,
        waitlist: false,
        hidden: false,
        archived: false,
        position: 1,
        benefits: [],
        x402_amount: '29000000',
        experiences: [],
      })
      expect(price.purchase_url).toBe(`${shop.running.url}/buy/${price.id}`)
      expect(await shop.get(`/price_variants/${price.id}`)).toEqual(price)
    })

    it('takes the currency of the account unless one is given', async () => {
      await shop.patch('/account', { default_currency: 'eur' })
      expect(await create({ amount: 1 })).toMatchObject({ currency: 'eur', x402_amount: null })
      expect(await create({ amount: 1, currency: 'USD' })).toMatchObject({ currency: 'usd', x402_amount: '10000' })
      await shop.patch('/account', { default_currency: 'usd' })
      expect(await refusal({ amount: 1, currency: 'xxz' })).toHaveProperty('currency')
    })

    it('keeps amounts within their bounds, as integers', async () => {
      expect((await create({ amount: 99_999_999 })).amount).toBe(99_999_999)
      expect(await refusal({ amount: 100_000_000 })).toEqual({ amount: ['must be at most 99999999'] })
      expect(await refusal({ amount: -1 })).toEqual({ amount: ['must be at least 0'] })
      expect(await refusal({ amount: 9.99 })).toEqual({
        amount: ['must be an integer; amounts are in minor units: 1250 is 12.50 usd'],
      })
      expect(await refusal({ amount: '900' })).toEqual([400, 'parameter_invalid', 'amount'])
      expect(await refusal({})).toEqual([400, 'parameter_missing', 'amount'])
      expect(await refusal({ amount_type: 'fixed', amount: 0 })).toHaveProperty('amount')
    })

    it('is free as a whole when one of its types or its amount says so', async () => {
      for (const values of [{ amount: 0 }, { amount_type: 'free' }, { billing_type: 'free' }]) {
        expect(await create(values)).toMatchObject({ amount_type: 'free', amount: 0, billing_type: 'free' })
      }
      expect(await refusal({ amount_type: 'free', billing_type: 'one_time' })).toHaveProperty('billing_type')
      expect(await refusal({ amount_type: 'free', amount: 5 })).toHaveProperty('amount')
      expect(await refusal({ amount_type: 'fixed', billing_type: 'free', amount: 5 })).toHaveProperty('billing_type')
    })

    it('stops being free when it gets an amount or another billing type', async () => {
      const { id } = await create({ amount: 0 })
      const change = (values: object) => shop.patch(`/price_variants/${id}`, values)
      expect(await change({ amount: 500 })).toMatchObject({ amount_type: 'fixed', billing_type: 'one_time' })
      expect(await change({ billing_type: 'free' })).toMatchObject({ amount_type: 'free', amount: 0 })
      expect(await shop.refusal('PATCH', `/price_variants/${id}`, { billing_type: 'one_time' })).toEqual({
        amount: ["can't be blank"],
      })
      expect(await change({ ...monthly })).toMatchObject({ amount_type: 'fixed', amount: 900 })
      expect(await change({ amount_type: 'free' })).toMatchObject({ billing_type: 'free', recurring_interval: null })
    })

    it('lets the buyer choose within bounds when custom', async () => {
      const bounds = { minimum_amount: 100, maximum_amount: 500, preset_amount: 200 }
      const price = await create({ ...custom, ...bounds })
      expect(price).toMatchObject({ amount_type: 'custom', amount: 0, billing_type: 'one_time', ...bounds })
      expect(await refusal({ ...custom, minimum_amount: 5, maximum_amount: 5 })).toHaveProperty('maximum_amount')
      expect(await refusal({ ...custom, minimum_amount: 5, preset_amount: 4 })).toHaveProperty('preset_amount')
      expect(await refusal({ ...custom, maximum_amount: 5, preset_amount: 6 })).toHaveProperty('preset_amount')
      expect(await refusal({ ...custom, amount: 7 })).toHaveProperty('amount')
      expect(await refusal({ amount: 7, minimum_amount: 5 })).toEqual({
        minimum_amount: ['is only for custom amounts'],
      })
      expect(await shop.patch(`/price_variants/${price.id}`, { amount_type: 'fixed', amount: 9 })).toMatchObject({
        amount: 9,
        minimum_amount: null,
        maximum_amount: null,
        preset_amount: null,
      })
    })

    it('repeats only as a subscription with an interval, three years at most', async () => {
      const terms = { interval_count: 3, installment_count: 4, setup_fee_amount: 100, trial_period_days: 730 }
      const price = await create({ ...monthly, ...terms })
      expect(price).toMatchObject({ ...monthly, ...terms })
      expect((await create(monthly)).interval_count).toBe(1)
      expect(await refusal({ amount: 5, billing_type: 'subscription' })).toEqual([
        400,
        'parameter_missing',
        'recurring_interval',
      ])
      expect(Object.keys(await refusal({ amount: 5, recurring_interval: 'month', trial_period_days: 7 }))).toEqual([
        'recurring_interval',
        'trial_period_days',
      ])
      for (const [recurring_interval, most] of Object.entries({ day: 1095, week: 156, month: 36, year: 3 })) {
        expect((await create({ ...monthly, recurring_interval, interval_count: most })).interval_count).toBe(most)
        expect(await refusal({ ...monthly, recurring_interval, interval_count: most + 1 })).toHaveProperty(
          'interval_count',
        )
      }
      expect(await refusal({ ...monthly, trial_period_days: 731 })).toHaveProperty('trial_period_days')
      expect(await refusal({ ...monthly, installment_count: 1 })).toHaveProperty('installment_count')
      expect(await shop.patch(`/price_variants/${price.id}`, { billing_type: 'one_time' })).toMatchObject({
        recurring_interval: null,
        interval_count: null,
        installment_count: null,
        setup_fee_amount: null,
        trial_period_days: null,
      })
    })

    it('shows a struck-through price above its own, while fixed', async () => {
      const { id } = await create({ amount: 100, discounted_from_amount: 150 })
      expect(await refusal({ amount: 100, discounted_from_amount: 100 })).toHaveProperty('discounted_from_amount')
      expect(await refusal({ ...custom, discounted_from_amount: 5 })).toHaveProperty('discounted_from_amount')
      expect(await shop.refusal('PATCH', `/price_variants/${id}`, { amount: 150 })).toHaveProperty(
        'discounted_from_amount',
      )
      expect(await shop.patch(`/price_variants/${id}`, { amount: 0 })).toMatchObject({
        amount_type: 'free',
        discounted_from_amount: null,
      })
    })

    it('is known under older words too', async () => {
      const { id } = await shop.product()
      const price = await shop.post('/price_variants', { product: id, ...monthly, billing_type: 'recurring' })
      expect(price).toMatchObject({ product: id, billing_type: 'subscription' })
      expect(await create({ amount_type: 'pay_what_you_want' })).toMatchObject({ amount_type: 'custom', amount: 0 })
      expect(await shop.listed(`/price_variants?product=${id}&billing_type=recurring`)).toEqual([price.id])
      expect((await refusal({ amount: 1, billing_type: 'constructor' })).billing_type[0]).toContain('must be one of')
    })

    it('changes what is named and nothing else', async () => {
      const { updated_at: _, ...price } = await create({ amount: 100, quantity_available: 5, benefits: ['a'] })
      const changes = {
        name: 'New',
        hidden: true,
        archived: true,
        waitlist: true,
        benefits: ['b'],
        revoke_after_days: 3,
      }
      const changed = await shop.patch(`/price_variants/${price.id}`, changes)
      expect(changed).toMatchObject({ ...price, ...changes })
      expect(
        await shop.patch(`/price_variants/${price.id}`, { archived: false, quantity_available: null }),
      ).toMatchObject({ archived: false, quantity_available: null, name: 'New' })
    })

    it('freezes what buyers agreed to once sold', async () => {
      const { id, amount } = await create({ ...monthly })
      await shop.set('price_variants', id, { sold_count: 1 })
      for (const change of [
        { amount: 1 },
        { currency: 'eur' },
        { billing_type: 'one_time' },
        { recurring_interval: 'year' },
        { interval_count: 2 },
        { amount_type: 'free' },
      ]) {
        const frozen = await shop.refusal('PATCH', `/price_variants/${id}`, change)
        expect(frozen[Object.keys(change)[0]!][0]).toContain('cannot change once the price has been sold')
      }
      const free = { name: 'Renamed', amount, archived: true, trial_period_days: 5, quantity_available: 2 }
      expect(await shop.patch(`/price_variants/${id}`, free)).toMatchObject(free)
      expect(await shop.refusal('DELETE', `/price_variants/${id}`)).toEqual([400, 'resource_in_use'])
    })

    it('has a place among those of its product, without gaps', async () => {
      const { id: product } = await shop.product()
      const places = async () => (await shop.get(`/price_variants?product=${product}`)).data
      const names = async () => (await places()).map(({ name, position }: never) => `${name}${position}`).join(' ')
      const add = (name: string, position?: number) => shop.price(product, { name, position })
      const a = await add('a')
      const b = await add('b')
      const c = await add('c', 1)
      await add('d', 99)
      expect(await names()).toBe('c1 a2 b3 d4')
      expect((await shop.patch(`/price_variants/${c.id}`, { position: 99 })).position).toBe(4)
      expect(await names()).toBe('a1 b2 d3 c4')
      await shop.patch(`/price_variants/${b.id}`, { position: 1 })
      expect(await names()).toBe('b1 a2 d3 c4')
      await shop.delete(`/price_variants/${a.id}`)
      expect(await names()).toBe('b1 d2 c3')
      expect(await shop.refusal('PATCH', `/price_variants/${b.id}`, { position: 0 })).toHaveProperty('position')
      for (const position of [-1, 1.5, 0.5, '2', -1e30]) {
        expect(await shop.refusal('PATCH', `/price_variants/${b.id}`, { position })).toHaveProperty('position')
      }
      for (const last of ['5', '1000001', '9007199254740993', '1e30', '1e400', '9'.repeat(500)]) {
        await shop.patch(`/price_variants/${b.id}`, { position: 1 })
        const raw = `{"position": ${last}}`
        const moved = await shop.api('PATCH', `/price_variants/${b.id}`, undefined, { raw })
        expect([last, moved.status, moved.body.position]).toEqual([last, 200, 3])
        const added = await shop.api('POST', '/price_variants', undefined, {
          raw: `{"product_id": "${product}", "amount": 1, "position": ${last}}`,
        })
        expect([added.status, added.body.position]).toEqual([201, 4])
        await shop.delete(`/price_variants/${added.body.id}`)
      }
    })

    it('gives access to experiences, by id or slug, and expands them and its product', async () => {
      const experience = await shop.experience({ slug: 'ruby-course' })
      const price = await create({ amount: 5, experience_ids: ['ruby-course', experience] })
      expect(price.experiences).toEqual([experience])
      const shown = await shop.get(`/price_variants/${price.id}?expand=product,experiences&expand[]=product.reviews`)
      expect(shown).toMatchObject({ product: { id: price.product, reviews: [] }, experiences: [{ id: experience }] })
      expect((await shop.patch(`/price_variants/${price.id}`, { experience_ids: [] })).experiences).toEqual([])
    })

    it('is filtered by product, archived and billing type', async () => {
      const { id } = await shop.product()
      const [sold, old, free] = [await shop.price(id), await shop.price(id), await shop.price(id, { amount: 0 })]
      await shop.patch(`/price_variants/${old.id}`, { archived: true })
      const listed = (query: string) => shop.listed(`/price_variants?product=${id}&${query}`)
      expect(await listed('archived=true')).toEqual([old.id])
      expect(await listed('archived=false')).toEqual([sold.id, free.id])
      expect(await listed('billing_type=free')).toEqual([free.id])
      expect(await shop.listed('/price_variants?product=no-such-product')).toEqual([])
      expect((await shop.listed('/price_variants'))[0]).toBe(free.id)
    })

    it('cannot move to another product, and switches off a discount that was for it alone', async () => {
      const price = await create({ amount: 5 })
      const { id: other } = await shop.product()
      expect((await shop.patch(`/price_variants/${price.id}`, { product_id: other })).product).toBe(price.product)
      const discount = await shop.discount({ price_variants: [price.id] })
      await shop.delete(`/price_variants/${price.id}`)
      expect(await shop.get(`/discounts/${discount.id}`)).toMatchObject({ status: 'inactive', price_variants: [] })
    })
  })
})
