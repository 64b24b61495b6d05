import { createHash } from 'node:crypto'
import type { Row } from '../../../contract/noun.ts'
import type { Checkout } from './checkout.ts'

type Agreed = Pick<Row<typeof Checkout>, 'total' | 'discount' | 'lines'>

/**
 * A short name of what a buyer is about to agree to: items, prices, discount and total. The page gives it back with the
 * payment, and any other is not charged before the buyer has seen it.
 */
export function agreementOf({ total, discount, lines }: Agreed): string {
  const terms = lines.map(({ price_variant, quantity, unit_amount, amount }) => [
    price_variant,
    quantity,
    unit_amount,
    amount,
  ])
  return createHash('sha256')
    .update(JSON.stringify([total, discount, terms]))
    .digest('base64url')
}
