import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { CheckoutLinkRow } from './checkout_link.ts'

export function deriveCheckoutLinks(rows: CheckoutLinkRow[], { publicUrl }: Context): Derived[] {
  return rows.map(({ id }) => ({ url: inOnePiece(publicUrl, '/l/', id) }))
}
