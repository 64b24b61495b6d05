import { equals, search, within } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { AVERAGE_RATING } from '../review/ratings.ts'
import { reviewsByProduct, shownVariantsByProduct } from './collections.ts'
import { createProduct } from './create.ts'
import { deleteProduct } from './delete.ts'
import { Product } from './product.ts'
import { deriveProducts } from './show.ts'
import { updateProduct } from './update.ts'

const { list, create, retrieve, update, remove } = verbs(Product)

export const products = resource(Product, {
  collections: { price_variants: shownVariantsByProduct, reviews: reviewsByProduct },
  derive: deriveProducts,
  operations: [
    list({
      summary: 'List products',
      filters: {
        status: equals(Product, 'status', 'Only those in this status'),
        query: search('Part of the name or slug, whatever the case'),
        average_rating: within(Product, 'average_rating', AVERAGE_RATING),
      },
    }),
    create({
      summary: 'Create a product',
      description: 'A draft unless `status` says otherwise. Prices are added with `POST /price_variants`.',
      emits: ['product.created'],
      rule: createProduct,
    }),
    retrieve({ summary: 'Show one product' }),
    update({
      summary: 'Change a product or its status',
      description: 'Any status may follow any other. Becoming active sets `published_at`, leaving active clears it.',
      emits: ['product.updated'],
      rule: updateProduct,
    }),
    remove({
      summary: 'Delete a product that was never sold',
      description:
        'Deletes its price variants and reviews too, and takes it out of discounts; a discount whose last target it was is switched off. Archive a sold product instead.',
      emits: ['product.deleted', 'price_variant.deleted', 'review.deleted', 'discount.updated'],
      rule: deleteProduct,
    }),
  ],
})
