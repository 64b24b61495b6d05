import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import type { InvoiceRow } from './invoice.ts'
import { paymentSecret } from './secret.ts'

export function deriveInvoices(rows: InvoiceRow[], context: Context): Derived[] {
  return rows.map((row) => ({ payment_url: paymentUrl(context, row) }))
}

/** The page where the buyer pays an invoice. */
export function paymentUrl(context: Context, { id }: { id: string }): string {
  return inOnePiece(context.publicUrl, '/pay/', paymentSecret(context, id))
}
