import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TaxRate } from '../../../src/contract/declarations/tax-rate.ts'
import type { Line } from '../../../src/resources/sales/checkout/line.ts'
import { linesFor, withTax } from '../../../src/resources/sales/checkout/tax/apply.ts'
import { ratesFor, taxOf, taxRefunded } from '../../../src/resources/sales/checkout/tax/compute.ts'
import { totalsOf } from '../../../src/resources/sales/checkout/totals.ts'

const MAX = 99_999_999
const vat: TaxRate = { country: 'DE', region: null, percent: 19, name: 'VAT', inclusive: false, tax_code: null }
const included: TaxRate = { ...vat, inclusive: true }
const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)

const percents = fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 10_000)
const rates = (inclusive: boolean) =>
  fc
    .array(percents, { minLength: 1, maxLength: 4 })
    .map((some) => some.map((percent, index): TaxRate => ({ ...vat, inclusive, percent, name: `Tax ${index}` })))

const line: Line = {
  ...{ price_variant: 'price_a', product: 'prod_a', product_name: 'Course', price_variant_name: 'Default' },
  ...{ quantity: 1, unit_amount: 1000, currency: 'eur', custom: null, recurring: null, revoke_after_days: null },
}
const carts = fc.array(
  fc.record({ unit_amount: fc.integer({ min: 0, max: 900_000 }), quantity: fc.integer({ min: 1, max: 9 }) }),
  { minLength: 1, maxLength: 8 },
)
const reductions = fc.option(
  fc.record({
    discount_type: fc.constantFrom('percent_off' as const, 'amount_off' as const),
    percent_off: fc.integer({ min: 1, max: 10_000 }).map((units) => units / 100),
    amount_off: fc.integer({ min: 1, max: MAX }),
  }),
)

describe('The tax of an amount', () => {
  it('is rounded half up, whatever the digits of the currency', () => {
    expect(taxOf(1000, [vat])).toEqual({ taxes: [190], net: 1000 })
    expect(taxOf(50, [{ ...vat, percent: 1 }]).taxes).toEqual([1])
    expect(taxOf(49, [{ ...vat, percent: 1 }]).taxes).toEqual([0])
    expect(taxOf(999, [{ ...vat, percent: 8.875 }]).taxes).toEqual([89])
    expect(taxOf(1190, [included])).toEqual({ taxes: [190], net: 1000 })
    expect(taxOf(1000, [included])).toEqual({ taxes: [160], net: 840 })
    expect(taxOf(1, [included])).toEqual({ taxes: [0], net: 1 })
    expect(taxOf(MAX, [{ ...vat, percent: 100 }]).taxes).toEqual([MAX])
  })

  it('is that of each rate by itself where they are added, and shared by the rates where they are included', () => {
    const quebec = [
      { ...vat, percent: 5, name: 'GST' },
      { ...vat, percent: 9.975, name: 'QST' },
    ]
    expect(taxOf(10_000, quebec).taxes).toEqual([500, 998])
    const within = quebec.map((rate) => ({ ...rate, inclusive: true }))
    expect(taxOf(11_498, within)).toEqual({ taxes: [500, 998], net: 10_000 })
  })

  it('is off from the exact tax by half a unit at most for each rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), rates(false), (amount, some) => {
        for (const [index, tax] of taxOf(amount, some).taxes.entries())
          expect(Math.abs(tax - (amount * some[index]!.percent) / 100)).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), rates(true), (amount, some) => {
        const { taxes, net } = taxOf(amount, some)
        expect(net + sum(taxes)).toBe(amount)
        expect(Math.min(net, ...taxes)).toBeGreaterThanOrEqual(0)
        const share = sum(some.map(({ percent }) => percent)) / 100
        expect(Math.abs(net - amount / (1 + share))).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
    )
  })

  it('can be taken out of what it was added to', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX }), percents, (amount, percent) => {
        const [tax] = taxOf(amount, [{ ...vat, percent }]).taxes
        expect(Math.abs(taxOf(amount + tax!, [{ ...included, percent }]).net - amount)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('The rates of a product', () => {
  const all: TaxRate[] = [
    vat,
    { ...vat, percent: 7, tax_code: 'books' },
    { ...vat, region: 'QC', percent: 5, name: 'GST' },
    { ...vat, region: 'QC', percent: 9.975, name: 'QST' },
    { ...vat, region: 'QC', percent: 0, tax_code: 'food' },
  ]
  const percentsOf = (some: readonly TaxRate[], code: string | null) =>
    ratesFor(some, code).map(({ percent }) => percent)

  it('are the most exact ones alone', () => {
    expect(percentsOf(all, null)).toEqual([5, 9.975])
    expect(percentsOf(all, 'food')).toEqual([0])
    expect(percentsOf(all, 'books')).toEqual([5, 9.975])
    expect(percentsOf(all.slice(0, 2), 'books')).toEqual([7])
    expect(percentsOf(all.slice(0, 2), 'food')).toEqual([19])
    expect(percentsOf(all.slice(1, 2), null)).toEqual([])
    expect(percentsOf([all[1]!, all[4]!], 'books')).toEqual([7])
  })
})

describe('A cart with tax', () => {
  it('adds up: subtotal, discount, tax and total, of lines and of the whole', () => {
    fc.assert(
      fc.property(carts, reductions, fc.boolean(), rates(false), (cart, reduction, inclusive, some) => {
        const terms = { rates: some.map((rate) => ({ ...rate, inclusive })), reverse_charge: false }
        const lines = cart.map((values, index) => ({ ...line, ...values, price_variant: `price_${index}` }))
        const taxed = withTax(totalsOf(linesFor(lines, terms), reduction), terms)
        const { subtotal, amount_discount, amount_tax, total, tax_lines, tax_inclusive } = taxed
        expect(total).toBe(subtotal - amount_discount + (tax_inclusive ? 0 : amount_tax))
        expect(sum(taxed.lines.map(({ amount }) => amount))).toBe(total)
        expect(sum(taxed.lines.map((one) => one.amount_tax!))).toBe(amount_tax)
        expect(sum(tax_lines.map(({ amount }) => amount))).toBe(amount_tax)
        for (const one of taxed.lines) {
          const before = one.unit_amount! * one.quantity - one.amount_discount
          expect(one.amount).toBe(inclusive ? before : before + one.amount_tax!)
        }
      }),
    )
  })

  it('costs the same as without tax where prices include it', () => {
    fc.assert(
      fc.property(carts, reductions, rates(true), (cart, reduction, some) => {
        const lines = cart.map((values) => ({ ...line, ...values }))
        const terms = { rates: some, reverse_charge: false }
        expect(withTax(totalsOf(linesFor(lines, terms), reduction), terms).total).toBe(totalsOf(lines, reduction).total)
      }),
    )
  })

  it('has no tax for a business elsewhere, which pays prices that include tax without it, and again with it after that', () => {
    const exempt = { rates: [included], reverse_charge: true }
    const sold = withTax(totalsOf(linesFor([{ ...line, unit_amount: 1190, quantity: 3 }], exempt)), exempt)
    expect(sold).toMatchObject({ subtotal: 3000, total: 3000, amount_tax: 0, tax_lines: [], reverse_charge: true })
    expect(sold.lines[0]).toMatchObject({ unit_amount: 1000, amount: 3000, amount_tax: 0 })
    const again = withTax(totalsOf(linesFor(sold.lines, null)), null)
    expect(again).toMatchObject({ subtotal: 3570, total: 3570 })
    const named = linesFor([{ ...line, custom: { minimum: null, maximum: null } }], exempt)
    expect(named[0]!.unit_amount).toBe(1000)
  })
})

describe('The tax of refunds', () => {
  it('is exactly the whole tax once all is refunded, in whatever parts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX }),
        fc.nat({ max: 100 }),
        fc.array(fc.nat({ max: MAX }), { maxLength: 20 }),
        (amount, share, parts) => {
          const tax = Math.floor((amount * share) / 100)
          let [refunded, given] = [0, 0]
          for (const part of [...parts, amount]) {
            refunded = Math.min(amount, refunded + part)
            const now = taxRefunded(tax, refunded, amount)
            expect(now).toBeGreaterThanOrEqual(given)
            expect(now).toBeLessThanOrEqual(Math.min(tax, refunded))
            given = now
          }
          expect(given).toBe(tax)
        },
      ),
    )
  })
})
