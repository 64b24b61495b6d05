import type { Context } from '../../../records/context.ts'
import { Checkout } from './checkout.ts'

const PURPOSE = 'checkout'
const MARK = '_secret_'

type Vaulted = Pick<Context, 'services'>

/** What lets its holder pay a checkout. It is derived from the service's secret key and stored nowhere. */
export function clientSecret({ services }: Vaulted, checkoutId: string): string {
  return `${checkoutId}${MARK}${services.vault.derive(PURPOSE, checkoutId)}`
}

/** The id of the checkout that a secret opens, or null when it is not the right one. */
export function checkoutIdOf({ services }: Vaulted, secret: string): string | null {
  const [id = '', given = '', ...more] = secret.split(MARK)
  if (more.length > 0 || !Checkout.isId(id)) return null
  return services.vault.matches(PURPOSE, id, given) ? id : null
}
