import type { Row } from '../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { PriceVariant } from '../../catalog/price_variant/price_variant.ts'
import { Experience } from './experience.ts'

type Vaulted = Pick<Context, 'services'>
type Published = Pick<Context, 'services' | 'publicUrl'>

const PURPOSE = 'customer_access'

/** Where a customer opens what was bought, without signing in: an address that nobody can guess. */
export function accessUrl({ services, publicUrl }: Published, customerId: string): string {
  return inOnePiece(publicUrl, '/access/', customerId, '/', services.vault.derive(PURPOSE, customerId))
}

/** Whether somebody has the address of a customer's purchases. */
export function opensAccess({ services }: Vaulted, customerId: string, given: string): boolean {
  return services.vault.matches(PURPOSE, customerId, given)
}

/** Where a customer opens a file of an experience, as long as there is access to it. */
export function boughtFileUrl(context: Published, customerId: string, slug: string, fileId: string): string {
  return `${accessUrl(context, customerId)}/${slug}/files/${fileId}`
}

/** The experiences that a customer's purchases give access to at this moment, by their names. */
export async function experiencesOf(context: Context, customerId: string): Promise<Row<typeof Experience>[]> {
  const grants = await rowsOf(context, 'access_grants')
    .select('price_variant')
    .distinct()
    .where('customer', '=', customerId)
    .where('starts_at', '<=', context.now)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', context.now)]))
    .execute()
  const ids = grants.map(({ price_variant }) => price_variant)
  const variants = await findRows(context, PriceVariant, ids)
  const bought = [...variants.values()].flatMap(({ experiences }) => experiences)
  const found = await findRows(context, Experience, bought)
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
}
