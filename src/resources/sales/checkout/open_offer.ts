import { type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import type { PriceVariantRow } from '../../catalog/price_variant/price_variant.ts'
import type { CheckoutRow } from './checkout.ts'
import { type Offer, offerOf } from './offer.ts'
import { openCheckout } from './open.ts'

/** What the `purchase_url` of a price sells: the price alone, once. */
export function whatPriceOffers(context: Context, variant: PriceVariantRow): Promise<Offer> {
  return offerOf(context, [variant.id], null)
}

/** Opens the checkout of a buyer who came by the `purchase_url` of a price. Throws a 422 when it is not for sale. */
export async function openFromPrice(context: Context, variant: PriceVariantRow): Promise<CheckoutRow> {
  return openOffer(context, await whatPriceOffers(context, variant), { link: variant.id })
}

/**
 * Opens a checkout for what can be bought of an offer; what cannot is left out, as is a code that cannot be used. Throws a
 * 422 that names each problem when nothing can be bought.
 */
export function openOffer(context: Context, offer: Offer, values: Partial<CheckoutRow> = {}): Promise<CheckoutRow> {
  if (offer.priced === null) throw invalid(problemsOf(offer))
  const line_items = offer.priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return openCheckout(context, {
    priced: offer.priced,
    email: null,
    customer: null,
    values: { ...values, line_items },
  })
}

function problemsOf({ items, problem }: Offer): FieldErrors {
  if (problem !== null || items.length === 0) return { line_items: [problem ?? 'are no longer for sale'] }
  return Object.fromEntries(
    items.map(({ problem }, index) => [`line_items.${index}.price_variant`, [problem ?? 'is not for sale']]),
  )
}
