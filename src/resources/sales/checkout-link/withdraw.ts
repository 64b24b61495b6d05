import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout-link.ts'

/** Removes prices from all links before the prices are deleted, and deactivates links without any price left. */
export async function withdrawFromLinks(context: Context, variantIds: readonly string[]): Promise<void> {
  const gone = new Set(variantIds)
  await changeLinks(context, await linksOn(context, variantIds), (link) => {
    const price_variants = link.price_variants.filter((id) => !gone.has(id))
    return { price_variants, ...(price_variants.length === 0 && { active: false }) }
  })
}

/** Removes a discount from all links before the discount is deleted. */
export async function takeDiscountOffLinks(context: Context, discountId: string): Promise<void> {
  const links = await rowsOf(context, 'checkout_links').selectAll().where('discount', '=', discountId).execute()
  const decoded = links.map((raw) => decode(CheckoutLink, raw))
  await changeLinks(context, decoded, () => ({ discount: null }))
}

async function changeLinks(
  context: Context,
  links: readonly CheckoutLinkRow[],
  change: (link: CheckoutLinkRow) => Partial<CheckoutLinkRow>,
): Promise<void> {
  await context.remember(CheckoutLink, links)
  for (const link of links)
    context.emit(CheckoutLink, 'updated', await changeRow(context, CheckoutLink, link, change(link)))
}

/** SQLite limits the nesting of conditions to 1,000, and each price adds one. */
const VARIANTS_PER_QUERY = 400

/** Searches the column's JSON text for the quoted ids, because ids contain no character that JSON escapes. */
async function linksOn(context: Context, variantIds: readonly string[]): Promise<CheckoutLinkRow[]> {
  const found = new Map<string, CheckoutLinkRow>()
  for (let start = 0; start < variantIds.length; start += VARIANTS_PER_QUERY) {
    const some = variantIds.slice(start, start + VARIANTS_PER_QUERY)
    const links = rowsOf(context, 'checkout_links')
      .selectAll()
      .where(({ eb, or }) => or(some.map((id) => eb('price_variants', 'like', `%"${id}"%`))))
    for (const raw of await links.execute()) found.set(raw.id, decode(CheckoutLink, raw))
  }
  return [...found.values()]
}
