import { type Priced, pricedFields } from './price.ts'
import type { Cart } from './sheet.ts'
import { NO_PLACE } from './tax/terms.ts'

/** A checkout as it would be, for pages that open none before their buyer does something. */
export function draftOf(
  priced: Priced,
  { link = null, invoice = null }: Partial<Pick<Cart, 'link' | 'invoice'>>,
): Cart {
  const { processor: _processor, ...fields } = pricedFields(priced, 'none')
  const line_items = priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return {
    ...fields,
    ...NO_PLACE,
    status: 'open',
    paying: null,
    subscription: null,
    formation: null,
    link,
    invoice,
    line_items,
  }
}
