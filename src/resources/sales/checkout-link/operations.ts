import { type Changes, type CreateInput, exampleId } from '../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { changeRow, deleteRow, insertRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout-link.ts'
import { LINK_CHECKS, requireDiscountApplies, requireItems, requireLinkDiscount } from './items.ts'

async function createCheckoutLink(context: Context, input: CreateInput<typeof CheckoutLink>): Promise<CheckoutLinkRow> {
  const lines = await requireItems(context, input.price_variants)
  const discount = input.discount ? await requireLinkDiscount(context, input.discount, lines) : null
  const link = await insertRow(context, CheckoutLink, {
    ...input,
    price_variants: lines.map((line) => line.price_variant),
    discount,
  })
  return context.emit(CheckoutLink, 'created', link)
}

type LinkChanges = Changes<typeof CheckoutLink>

async function updateCheckoutLink(
  context: Context,
  link: CheckoutLinkRow,
  changes: LinkChanges,
): Promise<CheckoutLinkRow> {
  const settled = await itemsAfter(context, link, changes)
  return context.emit(CheckoutLink, 'updated', await changeRow(context, CheckoutLink, link, { ...changes, ...settled }))
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

async function deleteCheckoutLink(context: Context, link: CheckoutLinkRow): Promise<void> {
  await deleteRow(context, CheckoutLink, link)
  context.emit(CheckoutLink, 'deleted', link)
}

const { list, create, retrieve, update, remove } = verbs(CheckoutLink)

export const checkoutLinks = resource(CheckoutLink, {
  derive: (rows, { publicUrl }) => rows.map(({ id }) => ({ url: inOnePiece(publicUrl, '/l/', id) })),
  operations: [
    list({
      summary: 'List checkout links',
      filters: { active: equals(CheckoutLink, 'active', 'Only active links, or only inactive ones') },
    }),
    create({
      summary: 'Create a shareable checkout link',
      description:
        'Its checkouts skip prices that are not for sale and a discount that can no longer be used; the page says which. They copy success_url and metadata.',
      example: { price_variants: [exampleId('price')], name: 'Spring sale' },
      checks: LINK_CHECKS,
      rule: createCheckoutLink,
    }),
    retrieve({ summary: 'Show one checkout link' }),
    update({
      summary: 'Change a checkout link',
      description: 'price_variants replaces all its prices. Checkouts that are already open do not change.',
      rule: updateCheckoutLink,
    }),
    remove({
      summary: 'Delete a checkout link',
      description: 'Its url answers 404 from then on. Checkouts that are already open can still be paid.',
      rule: deleteCheckoutLink,
    }),
  ],
})
