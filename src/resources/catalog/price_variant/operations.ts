import type { Row } from '../../../contract/noun.ts'
import { several } from '../../../contract/parameter.ts'
import { equals, filter } from '../../../records/filters.ts'
import { NEWEST_FIRST } from '../../../records/page.ts'
import { resource } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { verbs } from '../../../records/verbs.ts'
import { ofProduct } from '../product/filter.ts'
import { Product } from '../product/product.ts'
import { createPriceVariant } from './create.ts'
import { deletePriceVariant } from './delete.ts'
import { PriceVariant } from './price_variant.ts'
import { derivePriceVariants } from './show.ts'
import { updatePriceVariant } from './update.ts'

type ProductStatus = Row<typeof Product>['status']

const { list, create, retrieve, update, remove } = verbs(PriceVariant)

export const priceVariants = resource(PriceVariant, {
  derive: derivePriceVariants,
  operations: [
    list({
      summary: 'List price variants',
      order: (query) => (query.product === undefined ? NEWEST_FIRST : { key: 'position', direction: 'asc' }),
      withoutRanges: ['position'],
      filters: {
        product: ofProduct,
        archived: equals(PriceVariant, 'archived', 'Whether it is archived'),
        billing_type: equals(PriceVariant, 'billing_type', 'How it is paid'),
        currency: equals(PriceVariant, 'currency', 'Currency, ISO 4217'),
        product_status: filter(
          several(Product.fields.status!, 'Status of its product; one or several'),
          (query, statuses, context) => {
            const products = rowsOf(context, 'products').select('id')
            return query.where('product', 'in', products.where('status', 'in', statuses as ProductStatus[]))
          },
        ),
      },
    }),
    create({
      summary: 'Add a price to a product',
      description: 'Takes the last position unless one is given; then the prices from there on move down by one.',
      emits: ['price_variant.created', 'price_variant.updated'],
      example: { name: 'Hardcover', amount: 2900 },
      rule: createPriceVariant,
    }),
    retrieve({ summary: 'Show one price variant' }),
    update({
      summary: 'Change or archive a price variant',
      description:
        'Archive with `archived: true`. A new `position` shifts the prices between the old and the new place by one. Once sold, what a buyer pays is frozen: amount, currency, amount type, billing type and interval.',
      emits: ['price_variant.updated'],
      rule: updatePriceVariant,
    }),
    remove({
      summary: 'Delete a price variant that was never sold',
      description:
        'Archive a sold one instead. The prices behind it move up by one. A discount whose last target it was is switched off.',
      emits: ['price_variant.deleted', 'price_variant.updated', 'discount.updated'],
      rule: deletePriceVariant,
    }),
  ],
})
