import { exampleId } from '../../../contract/declarations/noun.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { OPENING_EVENTS, SALE_EVENTS } from '../payment/events.ts'
import { Checkout } from './checkout.ts'
import { expireCheckout } from './close.ts'
import { CHECKOUT_CHECKS, createCheckout } from './create.ts'
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
        'Send line_items or invoice, not both. The buyer pays at url. If nothing is due and email or customer is set, it completes at once. Items must be for sale and in one currency; a subscription must be the only item. An invoice sets the line and the buyer, allows no discount, and abandons its other open checkouts.',
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
        'Only while it is open and not being paid, else 400 invalid_state. line_items replaces all items at current prices. If nothing is due and email or customer is set, it completes at once.',
      emits: SALE_EVENTS,
      inTurn: true,
      rule: updateCheckout,
    }),
  ],
})
