import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { idOfSecret, secretOf } from '../secret.ts'
import { Invoice, type InvoiceRow } from './invoice.ts'

export function deriveInvoices(rows: InvoiceRow[], context: Context): Derived[] {
  return rows.map((row) => ({ payment_url: paymentUrl(context, row) }))
}

export function paymentUrl(context: Context, { id }: { id: string }): string {
  return inOnePiece(context.publicUrl, '/pay/', paymentSecret(context, id))
}

type WithVault = Parameters<typeof secretOf>[0]

/** Returns the secret that allows its holder to see and pay an invoice; the id alone does not. */
export function paymentSecret(context: WithVault, invoiceId: string): string {
  return secretOf(context, Invoice, invoiceId)
}

/** Returns null if the secret is wrong. */
export function invoiceIdOf(context: WithVault, secret: string): string | null {
  return idOfSecret(context, Invoice, secret)
}
