import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, insertRow } from '../../../records/records.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout-link.ts'
import { requireDiscountApplies, requireItems, requireLinkDiscount } from './items.ts'

export async function createCheckoutLink(
  context: Context,
  input: CreateInput<typeof CheckoutLink>,
): Promise<CheckoutLinkRow> {
  const lines = await requireItems(context, input.price_variants)
  const discount = input.discount ? await requireLinkDiscount(context, input.discount, lines) : null
  const link = await insertRow(context, CheckoutLink, {
    ...input,
    price_variants: lines.map((line) => line.price_variant),
    discount,
  })
  context.emit(CheckoutLink, 'created', link)
  return link
}

type LinkChanges = Changes<typeof CheckoutLink>

export async function updateCheckoutLink(
  context: Context,
  link: CheckoutLinkRow,
  changes: LinkChanges,
): Promise<CheckoutLinkRow> {
  const settled = await itemsAfter(context, link, changes)
  const changed = await changeRow(context, CheckoutLink, link, { ...changes, ...settled })
  context.emit(CheckoutLink, 'updated', changed)
  return changed
}

/** Throws a 422 if prices and discount do not fit together, or if a link without prices is activated. */
async function itemsAfter(context: Context, link: CheckoutLinkRow, { price_variants, discount, active }: LinkChanges) {
  if (!price_variants && !discount && !active) return {}
  const lines = await requireItems(context, price_variants ?? link.price_variants)
  if (price_variants && discount === undefined && link.discount !== null)
    await requireDiscountApplies(context, link.discount, lines)
  return {
    ...(price_variants && { price_variants: lines.map((line) => line.price_variant) }),
    ...(discount && { discount: await requireLinkDiscount(context, discount, lines) }),
  }
}

export async function deleteCheckoutLink(context: Context, link: CheckoutLinkRow): Promise<void> {
  await deleteRow(context, CheckoutLink, link)
  context.emit(CheckoutLink, 'deleted', link)
}
