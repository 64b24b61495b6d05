import { oneOf, text } from '../../../contract/declarations/kinds.ts'
import { anyOf, equals, filter, search } from '../../../records/filters.ts'
import { findRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { Product } from '../product/product.ts'
import { Discount, SHOWN_STATUSES } from './discount.ts'
import { codeKey, type ShownStatus, shownStatus, TERM_FIELDS, whereStatus } from './terms.ts'
import { createDiscount, deleteDiscount, newTerms, onProduct, updateDiscount } from './write.ts'

const { list, create, retrieve, update, remove } = verbs(Discount)

export const discounts = resource(Discount, {
  derive: (rows, context) => rows.map((row) => ({ status: shownStatus(row, context.now) })),
  operations: [
    list({
      summary: 'List discount codes',
      filters: {
        status: anyOf(oneOf(SHOWN_STATUSES, 'Status as shown'), (status: ShownStatus, { now }) =>
          whereStatus(status, now),
        ),
        discount_type: equals(Discount, 'discount_type', 'Type of discount'),
        product: filter(
          text('Product it names: id or slug', {
            max: 200,
            example: 'ruby-handbook',
          }),
          async (query, value, context) => {
            const product = await findRow(context, Product, String(value))
            return query.where(onProduct(context, product?.id ?? ''))
          },
        ),
        query: search('Text in the code, ignoring case'),
        code: filter(text('The whole code, ignoring case', { max: 50, example: 'SPRING25' }), (query, value) =>
          query.where('code_key', '=', codeKey(String(value))),
        ),
      },
    }),
    create({
      summary: 'Create a discount code',
      description: 'Requires percent_off, or amount_off with currency, as discount_type says.',
      example: { percent_off: 25 },
      checks: [{ fields: TERM_FIELDS, check: (context, given) => given.discount_type && newTerms(context, given) }],
      rule: createDiscount,
    }),
    retrieve({ summary: 'Show one discount code' }),
    update({
      summary: 'Change a discount code',
      description:
        'A new discount_type or duration clears the fields of the old one. Once redeemed, type, amounts and currency are fixed (422).',
      rule: updateDiscount,
    }),
    remove({
      summary: 'Delete an unused discount code',
      description:
        'Also removed from checkout links. Once redeemed or reserved, 400 resource_in_use: disable it instead.',
      emits: ['discount.deleted', 'checkout_link.updated'],
      rule: deleteDiscount,
    }),
  ],
})
