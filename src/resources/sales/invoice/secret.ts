import { idOfSecret, secretOf } from '../secret.ts'
import { Invoice } from './invoice.ts'

type Vaulted = Parameters<typeof secretOf>[0]

/** What lets its holder see and pay an invoice; its id alone does not. */
export function paymentSecret(context: Vaulted, invoiceId: string): string {
  return secretOf(context, Invoice, invoiceId)
}

/** The id of the invoice that a secret opens, or null when it is not the right one. */
export function invoiceIdOf(context: Vaulted, secret: string): string | null {
  return idOfSecret(context, Invoice, secret)
}
