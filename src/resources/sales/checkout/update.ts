import { ApiError, type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { Discount, type DiscountRow } from '../../catalog/discount/discount.ts'
import { allowsDiscountCodes } from '../checkout-link/items.ts'
import { processorOf } from '../payment/provider.ts'
import { asksAmount, isBuyersCart, isSoldAlready } from './cart.ts'
import { Checkout, type CheckoutRow, MAX_QUANTITY } from './checkout.ts'
import { requireDiscount, stillUsable } from './discounts.ts'
import type { Line } from './line.ts'
import { linesOf } from './lines.ts'
import { completeIfFree } from './pay.ts'
import { price, pricedFields } from './price.ts'
import { changedPlace, isSamePlace, termsAt } from './tax/given.ts'
import { placeOf, type TaxPlace, type TaxTerms } from './tax/terms.ts'

type CheckoutChanges = Changes<typeof Checkout>

export async function updateCheckout(
  context: Context,
  checkout: CheckoutRow,
  changes: CheckoutChanges,
): Promise<CheckoutRow> {
  requireChangeable(checkout)
  const { line_items, discount_code, country, region, vat_id, ...values } = changes
  requireOwnCart(checkout, changes)
  await requireOwnBuyer(context, checkout, changes)
  await requireCodesAllowed(context, checkout, changes)
  const lines: readonly Line[] = line_items ? await linesOf(context, line_items) : checkout.lines
  const discount = await discountFor(context, checkout, lines, discount_code)
  const moved = await movedTo(context, checkout, { country, region, vat_id })
  const recomputed =
    line_items || discount_code !== undefined || moved
      ? pricedFields(price(lines, discount, moved ? moved.tax : checkout.tax), await processorOf(context, checkout))
      : {}
  const changed = await changeRow(context, Checkout, checkout, {
    ...values,
    ...recomputed,
    ...moved?.place,
    ...(line_items && { line_items }),
  })
  return completeIfFree(context, changed)
}

function requireChangeable({ status, paying }: CheckoutRow): void {
  if (status !== 'open') throw new ApiError('invalid_state', `Cannot update a checkout that is ${status}.`)
  if (paying !== null) throw new ApiError('invalid_state', 'Cannot update a checkout while it is being paid.')
}

/** Returns the new tax location and its tax terms; null if the location does not change. */
async function movedTo(
  context: Context,
  checkout: CheckoutRow,
  given: Pick<CheckoutChanges, 'country' | 'region' | 'vat_id'>,
): Promise<{ place: TaxPlace; tax: TaxTerms | null } | null> {
  const before = placeOf(checkout)
  const place = changedPlace(before, given)
  if (isSamePlace(before, place)) return null
  return { place, tax: await termsAt(context, place) }
}

function requireOwnCart(checkout: CheckoutRow, changes: CheckoutChanges): void {
  const { line_items, discount_code } = changes
  if (!isSoldAlready(checkout)) return
  const source = sourceOf(checkout)
  if (line_items) throw invalid({ line_items: [`come from ${source} and cannot be changed`] })
  if (discount_code) throw invalid({ discount_code: [`cannot be used for ${source}`] })
  for (const part of ['country', 'region', 'vat_id'] as const)
    if (changes[part]) throw invalid({ [part]: [`is fixed by ${source} and cannot be changed`] })
}

function sourceOf({ invoice, subscription }: CheckoutRow): string {
  if (invoice !== null) return 'an invoice'
  return subscription !== null ? 'a subscription' : 'a formation'
}

async function requireOwnBuyer(
  context: Context,
  checkout: CheckoutRow,
  { email }: Pick<CheckoutChanges, 'email'>,
): Promise<void> {
  const { customer, invoice } = checkout
  if (email === undefined || email === checkout.email || customer === null) return
  const known = await findRow(context, Customer, customer)
  if (email !== known?.email)
    throw invalid({ email: [`belongs to the ${invoice === null ? 'customer' : 'invoice'} and cannot be changed`] })
}

/** Restricts only buyers; the shop may still change the discount code. */
async function requireCodesAllowed(
  context: Context,
  checkout: CheckoutRow,
  { discount_code }: CheckoutChanges,
): Promise<void> {
  if (!discount_code || context.caller.kind !== 'buyer') return
  if (!(await allowsDiscountCodes(context, checkout)))
    throw invalid({ discount_code: ['cannot be entered for this purchase'] })
}

/** An empty or null `code` removes the discount; undefined keeps the present one if it can still be used. */
async function discountFor(
  context: Context,
  checkout: CheckoutRow,
  lines: readonly Line[],
  code: string | null | undefined,
): Promise<DiscountRow | null> {
  if (code) return requireDiscount(context, code, lines)
  if (code !== undefined || checkout.discount === null) return null
  const kept = await stillUsable(context, checkout.discount, lines)
  return kept
}

/** A change of the buyer's tax location; absent fields keep their values. */
export type GivenPlace = Partial<TaxPlace>

/** Returns an open checkout with the prices for another tax location; stores nothing. Throws a 422 for an invalid location. */
export async function atPlace(context: Context, checkout: CheckoutRow, given: GivenPlace): Promise<CheckoutRow> {
  const moved = isSoldAlready(checkout) ? null : await movedTo(context, checkout, given)
  if (moved === null) return checkout
  const discount = checkout.discount === null ? null : ((await findRow(context, Discount, checkout.discount)) ?? null)
  const processor = await processorOf(context, checkout)
  return { ...checkout, ...pricedFields(price(checkout.lines, discount, moved.tax), processor), ...moved.place }
}

/** The values that a buyer enters on the checkout page, except the card. Absent values stay as they are. */
export interface Entries {
  /** Units by price id; 0 removes the line. Ignored unless `isBuyersCart`. */
  quantities?: Readonly<Record<string, number>>
  /** Unit price in minor units by price id; ignored unless `asksAmount`. */
  amounts?: Readonly<Record<string, number>>
  /** An empty text removes the discount. */
  discount_code?: string
  email?: string
  country?: string | null
  region?: string | null
  /** Null removes the VAT id. */
  vat_id?: string | null
}

/** Stores the buyer's entries in an open checkout, without reading current prices. Throws a 422 for invalid entries. */
export async function enter(context: Context, checkout: CheckoutRow, entries: Entries): Promise<CheckoutRow> {
  requireChangeable(checkout)
  const { email } = entries
  await requireOwnBuyer(context, checkout, { email })
  const lines = linesWith(checkout, entries)
  const code = (await allowsDiscountCodes(context, checkout)) ? entries.discount_code : undefined
  const { country, region, vat_id } = isSoldAlready(checkout) ? {} : entries
  const moved = await movedTo(context, checkout, { country, region, vat_id })
  if (lines === checkout.lines && code === undefined && moved === null)
    return changeRow(context, Checkout, checkout, { ...(email !== undefined && { email }) })
  const discount = await discountFor(context, checkout, lines, code)
  return changeRow(context, Checkout, checkout, {
    ...pricedFields(price(lines, discount, moved ? moved.tax : checkout.tax), await processorOf(context, checkout)),
    ...moved?.place,
    ...(email !== undefined && { email }),
  })
}

/** Returns the lines with the buyer's entries; `checkout.lines` itself if nothing differs. */
function linesWith(checkout: CheckoutRow, entries: Entries): readonly Line[] {
  const errors: FieldErrors = {}
  const lines = checkout.lines.map((line, index) => {
    const quantity = quantityOf(checkout, line, entries)
    const unit_amount = amountOf(checkout, line, entries)
    const problems = {
      [`line_items.${index}.quantity`]: quantityProblem(quantity),
      [`line_items.${index}.amount`]: amountProblem(line, unit_amount),
    }
    for (const [field, problem] of Object.entries(problems)) if (problem !== null) errors[field] = [problem]
    return { ...line, quantity, unit_amount }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const kept = lines.filter(({ quantity }) => quantity > 0)
  if (kept.length === 0) throw invalid({ line_items: ['must keep at least one item'] })
  return JSON.stringify(kept) === JSON.stringify(checkout.lines) ? checkout.lines : kept
}

function quantityOf(checkout: CheckoutRow, { price_variant, quantity }: Line, { quantities = {} }: Entries): number {
  return isBuyersCart(checkout) && Object.hasOwn(quantities, price_variant) ? quantities[price_variant]! : quantity
}

function amountOf(checkout: CheckoutRow, line: Line, { amounts = {} }: Entries): number | null {
  const entered = asksAmount(checkout, line) && Object.hasOwn(amounts, line.price_variant)
  return entered ? amounts[line.price_variant]! : line.unit_amount
}

function quantityProblem(quantity: number): string | null {
  const possible = Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_QUANTITY
  return possible ? null : `must be a whole number from 1 to ${MAX_QUANTITY}`
}

function amountProblem({ custom }: Line, amount: number | null): string | null {
  if (custom === null || amount === null) return null
  const [least, most] = [custom.minimum ?? 0, custom.maximum ?? MAX_AMOUNT]
  const possible = Number.isInteger(amount) && amount >= least && amount <= most
  return possible ? null : `must be from ${least} to ${most}`
}
