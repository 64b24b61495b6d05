import { exampleId } from '../../../contract/noun.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { OPENING_EVENTS, SALE_EVENTS } from '../payment/events.ts'
import { Checkout } from './checkout.ts'
import { CHECKOUT_CHECKS, createCheckout } from './create.ts'
import { expireCheckout } from './expire.ts'
import { deriveCheckouts, itemsByCheckout } from './show.ts'
import { updateCheckout } from './update.ts'

const { create, retrieve, update } = verbs(Checkout)

export const checkouts = resource(Checkout, {
  collections: { checkout_items: itemsByCheckout },
  derive: deriveCheckouts,
  jobs: [expireCheckout],
  operations: [
    create({
      summary: 'Open a checkout for items or for an invoice',
      description:
        'Give line_items or invoice, not both. The buyer pays at url. With nothing to pay and an email or customer it completes at once. Items must be for sale, in one currency; a subscription is alone in its checkout. An invoice brings its own line and buyer, takes no discount, and its other open checkouts are abandoned.',
      emits: OPENING_EVENTS,
      inTurn: true,
      example: { line_items: [{ price_variant: exampleId('price'), quantity: 2 }], email: 'ada@example.com' },
      checks: CHECKOUT_CHECKS,
      rule: createCheckout,
    }),
    retrieve({ summary: 'Show one checkout' }),
    update({
      summary: 'Change an open checkout',
      description:
        'Only while it is open and not being paid, else 400 invalid_state. line_items replaces all items and prices them anew. With nothing to pay and an email or customer it completes at once.',
      emits: SALE_EVENTS,
      inTurn: true,
      rule: updateCheckout,
    }),
  ],
})
