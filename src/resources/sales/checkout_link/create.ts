import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout_link.ts'
import { requireItems, requireLinkDiscount } from './items.ts'

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
