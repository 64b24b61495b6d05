import type { Row } from '../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { CheckoutLink } from './checkout_link.ts'

export function deriveCheckoutLinks(rows: Row<typeof CheckoutLink>[], { publicUrl }: Context): Derived[] {
  return rows.map(({ id }) => ({ url: inOnePiece(publicUrl, '/l/', id) }))
}
