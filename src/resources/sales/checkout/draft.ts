import { type Priced, pricedFields } from './price.ts'
import type { Cart } from './sheet.ts'
import { NO_PLACE, type TaxPlace } from './tax/terms.ts'

/** Builds a checkout without storing it, for pages that store one only when the buyer acts. */
export function draftOf(
  priced: Priced,
  { link = null, invoice = null, place = NO_PLACE }: Partial<Pick<Cart, 'link' | 'invoice'>> & { place?: TaxPlace },
): Cart {
  const { processor: _processor, ...fields } = pricedFields(priced, 'none')
  const line_items = priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return {
    ...fields,
    ...place,
    status: 'open',
    paying: null,
    subscription: null,
    formation: null,
    link,
    invoice,
    line_items,
  }
}
