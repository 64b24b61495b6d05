import { NEWEST_FIRST } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { equals, verbs } from '../../../records/verbs.ts'
import { ofProduct } from '../product/filter.ts'
import { createPriceVariant } from './create.ts'
import { deletePriceVariant } from './delete.ts'
import { PriceVariant } from './price_variant.ts'
import { derivePriceVariants } from './show.ts'
import { updatePriceVariant } from './update.ts'

const { list, create, retrieve, update, remove } = verbs(PriceVariant)

export const priceVariants = resource(PriceVariant, {
  derive: derivePriceVariants,
  operations: [
    list({
      summary: 'List price variants',
      description: 'Has hidden ones too, and archived ones unless filtered.',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      filters: {
        product: ofProduct,
        archived: equals(PriceVariant, 'archived', 'Only archived ones, or only others'),
        billing_type: equals(PriceVariant, 'billing_type', 'Only prices of this billing type'),
      },
    }),
    create({
      summary: 'Add a price to a product',
      description:
        'A fixed price needs `amount`, a subscription `recurring_interval`. Takes the last position unless one is given; then the prices from there on move down by one.',
      emits: ['price_variant.created', 'price_variant.updated'],
      example: { name: 'Hardcover', amount: 2900 },
      rule: createPriceVariant,
    }),
    retrieve({ summary: 'Show one price variant' }),
    update({
      summary: 'Change or archive a price variant',
      description:
        'A new type clears the fields that no longer apply; an amount without a type makes it free (0) or a free one fixed (above 0). A new `position` moves the prices between the old and the new place by one. Once sold, amount, currency, amount_type, billing_type, recurring_interval and interval_count cannot change (422): add another price and archive this one.',
      emits: ['price_variant.updated'],
      rule: updatePriceVariant,
    }),
    remove({
      summary: 'Delete a price variant that was never sold',
      description:
        'The prices behind it move up by one. It leaves discounts; a discount that loses its last target is switched off. Once sold, 400 resource_in_use: archive it instead.',
      emits: ['price_variant.deleted', 'price_variant.updated', 'discount.updated'],
      rule: deletePriceVariant,
    }),
  ],
})
