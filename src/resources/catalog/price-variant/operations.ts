import { inOnePiece } from '../../../contract/values/values.ts'
import { USDC_PER_CENT } from '../../../contract/values/x402-chains.ts'
import type { Context } from '../../../records/context.ts'
import { equals, filterSeveral } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { Product } from '../product/product.ts'
import { ofProduct } from '../product/queries.ts'
import { PriceVariant, type PriceVariantRow } from './price-variant.ts'
import { PRICING_FIELDS } from './pricing.ts'
import { createPriceVariant, deletePriceVariant, newPricing, updatePriceVariant } from './write.ts'

function derivePriceVariants(rows: PriceVariantRow[], context: Context): Derived[] {
  return rows.map((row) => ({
    purchase_url: inOnePiece(context.publicUrl, '/buy/', row.id),
    x402_amount: row.currency === 'usd' ? String((row.amount ?? 0) * USDC_PER_CENT) : null,
  }))
}

const { list, create, retrieve, update, remove } = verbs(PriceVariant)

export const priceVariants = resource(PriceVariant, {
  derive: derivePriceVariants,
  operations: [
    list({
      summary: 'List price variants',
      description: 'Includes hidden and archived ones.',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      withoutRanges: ['position'],
      filters: {
        product: ofProduct,
        archived: equals(PriceVariant, 'archived', 'Only archived ones, or only active ones'),
        amount_type: equals(PriceVariant, 'amount_type', 'Only prices of this amount type'),
        recurring_interval: equals(PriceVariant, 'recurring_interval', 'Only prices with this billing interval'),
        billing_type: equals(PriceVariant, 'billing_type', 'Only prices of this billing type'),
        currency: equals(PriceVariant, 'currency', 'Only prices in this currency'),
        product_status: filterSeveral(
          Product.fields.status,
          'Only prices of products in this status; one or several',
          (query, statuses, context) => {
            const products = rowsOf(context, 'products').select('id')
            return query.where('product', 'in', products.where('status', 'in', statuses))
          },
        ),
      },
    }),
    create({
      summary: 'Add a price to a product',
      description:
        'A fixed price requires `amount`, a subscription `recurring_interval`. It is added last unless `position` is given; later prices then move down by one.',
      emits: ['price_variant.created', 'price_variant.updated'],
      example: { name: 'Hardcover', amount: 2900 },
      checks: [{ fields: PRICING_FIELDS, check: (_, given) => newPricing(given) }],
      rule: createPriceVariant,
    }),
    retrieve({ summary: 'Show one price variant' }),
    update({
      summary: 'Change or archive a price variant',
      description:
        'A new type clears the fields that no longer apply; an amount without a type makes a price free (0) or a free price fixed (above 0). A new `position` shifts the prices in between by one. Once sold, amount, currency, amount_type, billing_type, recurring_interval and interval_count cannot change (422): add another price and archive this one.',
      rule: updatePriceVariant,
    }),
    remove({
      summary: 'Delete a price variant that was never ordered',
      description:
        'Later prices move up by one. It is removed from discounts and checkout links; a discount without targets is disabled, and a link without prices becomes inactive. If an order, an open checkout or an invoice contains it, 400 resource_in_use: archive it instead.',
      emits: ['price_variant.deleted', 'price_variant.updated', 'discount.updated', 'checkout_link.updated'],
      rule: deletePriceVariant,
    }),
  ],
})
