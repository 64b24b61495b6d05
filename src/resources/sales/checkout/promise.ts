import { idTimeMs, newId } from '../../../contract/values/ids.ts'
import type { Context } from '../../../records/context.ts'
import { Checkout } from './checkout.ts'

const PURPOSE = 'promised checkout'
/** A client signs right after it has read the terms. */
const HOLDS_MS = 15 * 60 * 1000

type Vaulted = Pick<Context, 'services'>

/**
 * A secret that terms of payment carry: the checkout of a price that will be opened by who pays them. Signed transfers are public once
 * they are on the chain, so this tells the buyer from everybody who has read them there.
 */
export function promiseCheckout({ services }: Vaulted, price: string): string {
  const id = newId('co')
  return `${id}.${services.vault.derive(PURPOSE, `${price}/${id}`)}`
}

/** The id of the checkout that a secret promises at a price, or null when it is not the right one. */
export function promisedCheckout({ services }: Vaulted, price: string, secret: unknown): string | null {
  const [id = '', given = '', ...more] = typeof secret === 'string' ? secret.split('.') : []
  if (more.length > 0 || !Checkout.isId(id)) return null
  return services.vault.matches(PURPOSE, `${price}/${id}`, given) ? id : null
}

/** Whether a checkout may still be opened by a promised id: ids sort by their time. */
export function isRecentPromise(id: string): boolean {
  return Date.now() - idTimeMs(id) < HOLDS_MS
}
