import type { Row } from '../../../contract/noun.ts'
import { inOnePiece } from '../../../contract/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { Invoice } from './invoice.ts'
import { paymentSecret } from './secret.ts'

export function deriveInvoices(rows: Row<typeof Invoice>[], context: Context): Derived[] {
  return rows.map(({ id }) => ({ payment_url: inOnePiece(context.publicUrl, '/pay/', paymentSecret(context, id)) }))
}
