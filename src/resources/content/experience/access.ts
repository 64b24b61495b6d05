import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { Order } from '../../sales/order/order.ts'
import { Experience, type ExperienceRow } from './experience.ts'

type VaultContext = Pick<Context, 'services'>
type LinkContext = Pick<Context, 'services' | 'publicUrl'>

const PURPOSE = 'customer_access'

/** Returns the secret URL of a holder's purchases: a customer's, or those of a single order if its payer may not be its customer. */
export function accessUrl({ services, publicUrl }: LinkContext, holderId: string): string {
  return inOnePiece(publicUrl, '/access/', holderId, '/', services.vault.derive(PURPOSE, holderId))
}

/** Whether the secret in a URL opens the holder's purchases. */
export function opensAccess({ services }: VaultContext, holderId: string, given: string): boolean {
  return services.vault.matches(PURPOSE, holderId, given)
}

/** The URL works as long as the holder has access to the experience. */
export function boughtFileUrl(context: LinkContext, holderId: string, slug: string, fileId: string): string {
  return `${accessUrl(context, holderId)}/${slug}/files/${fileId}`
}

/** Returns the experiences that a customer or an order has access to now, sorted by name. */
export async function experiencesOf(context: Context, holderId: string): Promise<ExperienceRow[]> {
  const grants = await rowsOf(context, 'access_grants')
    .select('price_variant')
    .distinct()
    .where(Order.isId(holderId) ? 'order_id' : 'customer', '=', holderId)
    .where('starts_at', '<=', context.now)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', context.now)]))
    .execute()
  const ids = grants.map(({ price_variant }) => price_variant)
  const variants = await findRows(context, PriceVariant, ids)
  const bought = [...variants.values()].flatMap(({ experiences }) => experiences)
  const found = await findRows(context, Experience, bought)
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
}
