import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestampOf } from '../../src/contract/values/values.ts'
import { times } from '../support/depth.ts'
import { onEachEngine } from '../support/shop.ts'

const amountOff = { discount_type: 'amount_off', percent_off: null, amount_off: 500, currency: 'EUR' }
const inDays = (days: number) => timestampOf(new Date(Date.now() + days * 86_400_000))

describe('A discount', () => {
  onEachEngine((shop) => {
    const refusal = (values: object) =>
      shop.refusal('POST', '/discounts', { code: 'X', discount_type: 'percent_off', percent_off: 10, ...values })

    it('has every field, with defaults where nothing was given', async () => {
      const discount = await shop.discount({ code: 'Spring_25-a' })
      expect(discount).toMatchObject({
        object: 'discount',
        code: 'Spring_25-a',
        percent_off: 10,
        amount_off: null,
        currency: null,
        duration: 'once',
        duration_in_months: null,
        applies_to_product_ids: [],
        price_variants: [],
        max_redemptions: null,
        times_redeemed: 0,
        status: 'active',
        metadata: {},
      })
      expect(discount).not.toHaveProperty('switched')
      expect(await shop.get(`/discounts/${discount.id}`)).toEqual(discount)
    })

    it('has a code that no other has, whatever its case', async () => {
      const { id } = await shop.discount({ code: 'UNIQUE' })
      expect(await refusal({ code: 'unique' })).toEqual({ code: ['has already been taken'] })
      expect((await shop.patch(`/discounts/${id}`, { code: 'Unique' })).code).toBe('Unique')
      expect(await shop.listed('/discounts?code=uNIQUE')).toEqual([id])
      expect(await shop.listed('/discounts?query=niqu')).toEqual([id])
      const other = await shop.discount()
      expect(await shop.refusal('PATCH', `/discounts/${other.id}`, { code: 'UNIQUE' })).toHaveProperty('code')
      for (const code of ['', 'a b', 'ä', 'a'.repeat(51), 'a%']) expect(await refusal({ code })).toHaveProperty('code')
    })

    it('lowers by percent with up to two decimals', async () => {
      for (const percent_off of [0.01, 12.34, 33.33, 99.99, 100]) {
        expect((await shop.discount({ percent_off })).percent_off).toBe(percent_off)
      }
      for (const percent_off of [0, -1, 100.01, 12.345, 12.3400001]) {
        expect(await refusal({ percent_off })).toHaveProperty('percent_off')
      }
      expect(await refusal({ percent_off: null })).toEqual([400, 'parameter_missing', 'percent_off'])
      expect(await refusal({ percent_off: '10' })).toEqual([400, 'parameter_invalid', 'percent_off'])
    })

    it('lowers by an amount of a currency', async () => {
      expect(await shop.discount(amountOff)).toMatchObject({ percent_off: null, amount_off: 500, currency: 'eur' })
      expect(await refusal({ ...amountOff, currency: undefined })).toEqual([400, 'parameter_missing', 'currency'])
      expect(await refusal({ ...amountOff, amount_off: 0 })).toHaveProperty('amount_off')
      expect(await refusal({ ...amountOff, percent_off: 5 })).toHaveProperty('percent_off')
      expect(Object.keys(await refusal({ amount_off: 5, currency: 'usd' }))).toEqual(['amount_off', 'currency'])
      expect(await shop.refusal('POST', '/discounts', { code: 'X' })).toEqual([
        400,
        'parameter_missing',
        'discount_type',
      ])
    })

    it('clears what belongs to the other type when it changes its type', async () => {
      const { id } = await shop.discount()
      const change = (values: object) => shop.patch(`/discounts/${id}`, values)
      expect(await shop.refusal('PATCH', `/discounts/${id}`, { discount_type: 'amount_off' })).toHaveProperty(
        'amount_off',
      )
      expect(await change({ discount_type: 'amount_off', amount_off: 5, currency: 'usd' })).toMatchObject({
        percent_off: null,
      })
      expect(await shop.refusal('PATCH', `/discounts/${id}`, { currency: null })).toHaveProperty('currency')
      expect(await change({ discount_type: 'percent_off', percent_off: 5 })).toMatchObject({
        amount_off: null,
        currency: null,
      })
    })

    it('repeats for a number of months', async () => {
      const { id } = await shop.discount({ duration: 'repeating', duration_in_months: 36 })
      expect(await refusal({ duration: 'repeating' })).toEqual([400, 'parameter_missing', 'duration_in_months'])
      expect(await refusal({ duration: 'repeating', duration_in_months: 37 })).toHaveProperty('duration_in_months')
      expect(await refusal({ duration_in_months: 3 })).toHaveProperty('duration_in_months')
      expect(await shop.patch(`/discounts/${id}`, { duration: 'forever' })).toMatchObject({ duration_in_months: null })
    })

    it('ends in the future, after its start', async () => {
      expect(await refusal({ redeem_by: inDays(-1) })).toEqual({ redeem_by: ['must be in the future'] })
      expect(await refusal({ starts_at: inDays(2), redeem_by: inDays(1) })).toEqual({
        redeem_by: ['must be after starts_at'],
      })
      const { id, redeem_by } = await shop.discount({ redeem_by: inDays(1) })
      const past = inDays(-1)
      await shop.set('discounts', id, { redeem_by: past })
      expect((await shop.patch(`/discounts/${id}`, { redeem_by: past, metadata: { a: 'b' } })).status).toBe('expired')
      expect((await shop.patch(`/discounts/${id}`, { redeem_by })).status).toBe('active')
    })

    it('applies to products and prices, by id or slug, and expands the prices', async () => {
      const product = await shop.product()
      const price = await shop.price(product.id)
      const targets = { applies_to_product_ids: [product.slug], price_variants: [price.id, price.id] }
      const discount = await shop.discount(targets)
      expect(discount).toMatchObject({ applies_to_product_ids: [product.id], price_variants: [price.id] })
      const shown = await shop.get(`/discounts/${discount.id}?expand=price_variants.product`)
      expect(shown.price_variants).toMatchObject([{ id: price.id, product: { id: product.id } }])
      expect(await shop.patch(`/discounts/${discount.id}`, { applies_to_product_ids: [] })).toMatchObject({
        applies_to_product_ids: [],
        status: 'active',
      })
    })

    it('is switched off and on', async () => {
      const { id } = await shop.discount({ status: 'inactive' })
      expect((await shop.get(`/discounts/${id}`)).status).toBe('inactive')
      expect((await shop.patch(`/discounts/${id}`, { status: 'active' })).status).toBe('active')
      expect(await shop.refusal('PATCH', `/discounts/${id}`, { status: 'expired' })).toHaveProperty('status')
    })

    it('shows the status that its filter finds, whatever its timing', async () => {
      const moment = fc.option(fc.integer({ min: -2, max: 2 }).map(inDays))
      const timing = fc.record({
        switched: fc.constantFrom('active', 'inactive'),
        starts_at: moment,
        redeem_by: moment,
        max_redemptions: fc.option(fc.integer({ min: 1, max: 3 })),
        times_redeemed: fc.integer({ min: 0, max: 3 }),
      })
      const { id } = await shop.discount({ code: 'timed' })
      await fc.assert(
        fc.asyncProperty(timing, async (values) => {
          await shop.set('discounts', id, values)
          const { status } = await shop.get(`/discounts/${id}`)
          for (const asked of ['active', 'inactive', 'scheduled', 'expired']) {
            const found = await shop.listed(`/discounts?code=timed&status=${asked}`)
            expect(found).toEqual(asked === status ? [id] : [])
          }
        }),
        { numRuns: times({ gate: 15, deep: 60 }) },
      )
    })

    it('keeps its terms and itself once redeemed', async () => {
      const { id } = await shop.discount({ max_redemptions: 5 })
      await shop.set('discounts', id, { times_redeemed: 3 })
      const path = `/discounts/${id}`
      expect(await shop.refusal('PATCH', path, { percent_off: 11 })).toHaveProperty('percent_off')
      const amount = { discount_type: 'amount_off', amount_off: 5, currency: 'usd' }
      expect(Object.keys(await shop.refusal('PATCH', path, amount))).toEqual([
        'discount_type',
        'percent_off',
        'amount_off',
        'currency',
      ])
      expect(await shop.refusal('PATCH', path, { max_redemptions: 2 })).toHaveProperty('max_redemptions')
      expect(await shop.refusal('DELETE', path)).toEqual([400, 'resource_in_use'])
      expect(await shop.patch(path, { percent_off: 10, max_redemptions: 3 })).toMatchObject({ status: 'expired' })
      expect(await shop.patch(path, { status: 'inactive' })).toMatchObject({ status: 'inactive', times_redeemed: 3 })
    })

    it('can be deleted while unused', async () => {
      const { id } = await shop.discount()
      expect(await shop.delete(`/discounts/${id}`)).toEqual({ id, object: 'discount', deleted: true })
      expect(await shop.refusal('GET', `/discounts/${id}`)).toEqual([404, 'resource_missing'])
    })
  })
})
