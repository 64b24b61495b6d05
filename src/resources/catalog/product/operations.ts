import { equals, search, within } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { AVERAGE_RATING } from '../review/ratings.ts'
import { Product, requireWindow } from './product.ts'
import { reviewsByProduct, shownVariantsByProduct } from './queries.ts'
import { deriveProducts } from './show.ts'
import { createProduct, deleteProduct, updateProduct } from './write.ts'

const { list, create, retrieve, update, remove } = verbs(Product)

export const products = resource(Product, {
  collections: { price_variants: shownVariantsByProduct, reviews: reviewsByProduct },
  derive: deriveProducts,
  operations: [
    list({
      summary: 'List products',
      description: 'Includes products in every status.',
      sortedBy: ['name'],
      filters: {
        status: equals(Product, 'status', 'Only products in this status'),
        query: search('Text in the name or slug, ignoring case and accents'),
        average_rating: within(Product, 'average_rating', AVERAGE_RATING),
      },
    }),
    create({
      summary: 'Create a product',
      description: 'Add prices with POST /price_variants; a product without a price cannot be bought.',
      checks: [{ fields: ['available_from', 'available_until'], check: (_, given) => requireWindow(given) }],
      rule: createProduct,
    }),
    retrieve({ summary: 'Show one product' }),
    update({
      summary: 'Change a product or its status',
      description:
        'Any status can follow any other. Becoming active sets published_at; leaving active clears it. A new name does not change the slug.',
      rule: updateProduct,
    }),
    remove({
      summary: 'Delete a product that was never ordered',
      description:
        'Deletes its price variants and reviews and removes them from discounts and checkout links; a discount without targets is disabled, and a link without prices becomes inactive. If an order, an open checkout or an invoice contains one of its prices, 400 resource_in_use: archive it instead.',
      emits: [
        'product.deleted',
        'price_variant.deleted',
        'review.deleted',
        'discount.updated',
        'checkout_link.updated',
      ],
      rule: deleteProduct,
    }),
  ],
})
