import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { findRows } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { PriceVariant } from '../../catalog/price-variant/price-variant.ts'
import { Order } from '../../sales/order/order.ts'
import { File, type FileRow } from '../file/file.ts'
import { isPicture } from '../file/uses.ts'
import { Experience, type ExperienceRow } from './experience.ts'

type LinkContext = Pick<Context, 'services' | 'publicUrl'>

const PURPOSE = 'customer_access'

/** Returns the secret URL of a holder's purchases: a customer's, or those of a single order if its payer may not be its customer. */
export function accessUrl({ services, publicUrl }: LinkContext, holderId: string): string {
  return inOnePiece(publicUrl, '/access/', holderId, '/', services.vault.derive(PURPOSE, holderId))
}

/** Returns whether the secret in a URL opens the holder's purchases. */
export function opensAccess({ services }: VaultContext, holderId: string, given: string): boolean {
  return services.vault.matches(PURPOSE, holderId, given)
}

/** Returns the URL of a bought file, which works as long as the holder has access to the experience. */
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

type Content = Record<string, unknown>
/** The URL of a file in JSON text, with its scheme and host if present. */
const ADDRESS = /(?:https?:\/\/[^"'\\\s<>]{0,300}?)?\/files\/(file_[0-9a-z]{26})\/[^"'\\\s<>]*/g

/** Returns the files that the content lists or links to, by id. */
export async function filesIn(context: Context, content: Content): Promise<Map<string, FileRow>> {
  const linked = [...JSON.stringify(content).matchAll(ADDRESS)].map(([, id]) => id!)
  return findRows(context, File, [...listedIn(content), ...linked])
}

/** Replaces the URLs of the account's files with those of `addressOf`. */
export async function withFileAddresses(
  context: Context,
  experience: ExperienceRow,
  addressOf: (id: string) => string,
): Promise<ExperienceRow> {
  const own = await filesIn(context, experience.content)
  const text = JSON.stringify(experience.content)
  const content = text.replace(ADDRESS, (address, id: string) => (own.has(id) ? addressOf(id) : address))
  return { ...experience, content: JSON.parse(content) }
}

/** Sets `in_experience` for the files in an experience, except pictures that only appear in its texts. */
export async function holdFiles(context: Context, content: Content): Promise<void> {
  const listed = new Set(listedIn(content))
  const files = [...(await filesIn(context, content)).values()]
  const held = files.filter((file) => !file.in_experience && (listed.has(file.id) || !isPicture(file)))
  if (held.length === 0) return
  const ids = held.map(({ id }) => id)
  await updateRowsOf(context, 'files').set({ in_experience: 1 }).where('id', 'in', ids).execute()
}

function listedIn({ files }: Content): string[] {
  return Array.isArray(files) ? (files as string[]) : []
}
