import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import { MAX_AMOUNT } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { allowsDiscountCodes } from '../checkout-link/items.ts'
import { processorOf } from '../payment/provider.ts'
import { asksAmount, isBuyersCart, isSoldAlready } from './cart.ts'
import { Checkout, type CheckoutRow, MAX_QUANTITY } from './checkout.ts'
import type { Line } from './line.ts'
import { price, pricedFields } from './price.ts'
import { discountFor, movedTo, requireChangeable, requireOwnBuyer } from './update.ts'

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

/** Returns `checkout.lines` itself if nothing differs. */
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
