import type { Row } from '../../../contract/noun.ts'
import type { Checkout } from './checkout.ts'
import type { Priced } from './price.ts'

/** What a new checkout is made of: its cart, its buyer as far as known, and other fields. */
export interface Opening {
  priced: Priced
  email: string | null
  customer: string | null
  values?: Partial<Row<typeof Checkout>>
}
