import { idOfSecret, secretOf } from '../secret.ts'
import { Checkout } from './checkout.ts'

type Vaulted = Parameters<typeof secretOf>[0]

/** What lets its holder pay a checkout. */
export function clientSecret(context: Vaulted, checkoutId: string): string {
  return secretOf(context, Checkout, checkoutId)
}

/** The id of the checkout that a secret opens, or null when it is not the right one. */
export function checkoutIdOf(context: Vaulted, secret: string): string | null {
  return idOfSecret(context, Checkout, secret)
}
