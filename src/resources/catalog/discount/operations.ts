import { oneOf, text } from '../../../contract/kinds.ts'
import { anyOf, equals, filter, search } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { codeKey } from './code.ts'
import { createDiscount } from './create.ts'
import { deleteDiscount } from './delete.ts'
import { Discount, SHOWN_STATUSES } from './discount.ts'
import { type ShownStatus, shownStatus, whereStatus } from './status.ts'
import { updateDiscount } from './update.ts'

const { list, create, retrieve, update, remove } = verbs(Discount)

export const discounts = resource(Discount, {
  derive: (rows, context) => rows.map((row) => ({ status: shownStatus(row, context.now) })),
  operations: [
    list({
      summary: 'List discount codes',
      filters: {
        status: anyOf(oneOf(SHOWN_STATUSES, 'The status as shown'), (status: ShownStatus, { now }) =>
          whereStatus(status, now),
        ),
        discount_type: equals(Discount, 'discount_type', 'Which of the two it uses'),
        query: search('Part of the code'),
        code: filter(text('The exact code, ignoring case', { max: 50, example: 'SPRING25' }), (query, value) =>
          query.where('code_key', '=', codeKey(String(value))),
        ),
      },
    }),
    create({
      summary: 'Create a discount code',
      description:
        'Give `percent_off`, or `amount_off` with `currency`, as `discount_type` says. `repeating` needs `duration_in_months`.',
      emits: ['discount.created'],
      example: { percent_off: 25 },
      rule: createDiscount,
    }),
    retrieve({ summary: 'Show one discount code' }),
    update({
      summary: 'Change a discount code',
      description: 'Switch it off with `status: "inactive"`. Once redeemed, its type and amounts are frozen.',
      emits: ['discount.updated'],
      rule: updateDiscount,
    }),
    remove({
      summary: 'Delete an unused discount code',
      description: 'A redeemed one can only be switched off.',
      emits: ['discount.deleted'],
      rule: deleteDiscount,
    }),
  ],
})
