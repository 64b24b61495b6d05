import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout_link.ts'
import { requireDiscountApplies, requireItems, requireLinkDiscount } from './items.ts'

type Given = Changes<typeof CheckoutLink>

export async function updateCheckoutLink(
  context: Context,
  link: CheckoutLinkRow,
  changes: Given,
): Promise<CheckoutLinkRow> {
  const settled = await itemsAfter(context, link, changes)
  const changed = await changeRow(context, CheckoutLink, link, { ...changes, ...settled })
  context.emit(CheckoutLink, 'updated', changed)
  return changed
}

/** Prices and discount after a change of either, checked against each other; a link that is switched on has prices. */
async function itemsAfter(context: Context, link: CheckoutLinkRow, { price_variants, discount, active }: Given) {
  if (!price_variants && !discount && !active) return {}
  const lines = await requireItems(context, price_variants ?? link.price_variants)
  if (price_variants && discount === undefined && link.discount !== null)
    await requireDiscountApplies(context, link.discount, lines)
  return {
    ...(price_variants && { price_variants: lines.map((line) => line.price_variant) }),
    ...(discount && { discount: await requireLinkDiscount(context, discount, lines) }),
  }
}
