import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import type { PriceVariantRow } from '../../catalog/price_variant/price_variant.ts'
import { Product } from '../../catalog/product/product.ts'
import type { GivenPlace } from './at_place.ts'
import { type CheckoutRow, MAX_QUANTITY } from './checkout.ts'
import { whyNotOffered } from './for_sale.ts'
import { lineOf, whyNotAmount } from './lines.ts'
import { openCheckout } from './open.ts'
import { type Priced, price } from './price.ts'
import { changedPlace, termsAt } from './tax/given.ts'
import { NO_PLACE, type TaxPlace } from './tax/terms.ts'

/** A program asks for this at the address of a price. */
export interface Purchase {
  quantity: number
  /** Price of one in minor units, for a price that the buyer names. */
  amount?: number
  place: GivenPlace
}

/** Prices a purchase where its buyer is taxed. Nothing is written. Throws a 422 that names everything that cannot be sold. */
export async function priceOfPurchase(
  context: Context,
  variant: PriceVariantRow,
  { quantity, amount, place: given }: Purchase,
): Promise<{ priced: Priced; place: TaxPlace }> {
  const product = await requireRow(context, Product, variant.product)
  const most = quantity < 1 || quantity > MAX_QUANTITY ? `must be from 1 to ${MAX_QUANTITY}` : null
  const problems = {
    price_variant: whyNotOffered(variant, product, quantity, context.now),
    quantity: most,
    amount: whyNotAmount(variant, amount),
  }
  const errors: FieldErrors = {}
  for (const [field, problem] of Object.entries(problems)) if (problem !== null) errors[field] = [problem]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const place = changedPlace(NO_PLACE, given)
  return { priced: price([lineOf(variant, product, { quantity, amount })], null, await termsAt(context, place)), place }
}

/** Opens the checkout of a purchase, by an id that its terms have promised or a new one. Throws as `priceOfPurchase` does. */
export async function openPurchase(
  context: Context,
  variant: PriceVariantRow,
  { email, id, ...purchase }: Purchase & { email: string; id: string | undefined },
): Promise<CheckoutRow> {
  const { priced, place } = await priceOfPurchase(context, variant, purchase)
  const line_items = priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  const values = { ...place, link: variant.id, line_items }
  return openCheckout(context, { priced, email, customer: null, values, id })
}
