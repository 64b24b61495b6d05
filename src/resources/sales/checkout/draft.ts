import type { CheckoutRow } from './checkout.ts'
import { type Priced, pricedFields } from './price.ts'
import { NO_PLACE, type TaxPlace } from './tax/terms.ts'

type DraftOptions = Partial<Pick<CheckoutRow, 'link' | 'invoice'>> & { place?: TaxPlace }

/** Builds a checkout without storing it, for pages that store one only when the buyer acts. */
export function draftOf(priced: Priced, { link = null, invoice = null, place = NO_PLACE }: DraftOptions) {
  const { processor: _processor, ...fields } = pricedFields(priced, 'none')
  const line_items = priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return {
    ...fields,
    ...place,
    status: 'open' as const,
    paying: null,
    subscription: null,
    formation: null,
    link,
    invoice,
    line_items,
  }
}
