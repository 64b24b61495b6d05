import { exampleId } from '../../../contract/declarations/noun.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { REFUND_EVENTS } from '../payment/events.ts'
import { createRefund } from './create.ts'
import { mailRefunded } from './letter.ts'
import { Refund } from './refund.ts'
import { sendRefund } from './send.ts'

const { list, create, retrieve } = verbs(Refund)

export const refunds = resource(Refund, {
  jobs: [mailRefunded, sendRefund],
  operations: [
    list({
      summary: 'List refunds',
      filters: {
        order: equals(Refund, 'order', 'Only refunds of this order'),
        status: equals(Refund, 'status', 'Only refunds in this status'),
      },
    }),
    create({
      right: 'sales.refund',
      summary: 'Refund an order fully or in part',
      description:
        'Only orders that are succeeded or partially_refunded, else 400 invalid_state; more than is left is 422. The refund that makes it full restocks all of its items and ends access; a subscription continues. It stays pending until the processor settles it; then the buyer gets an e-mail, unless the account has turned that off. Orders paid by x402 cannot be refunded, else 400 invalid_state: the money is in your own wallet, and the message names the wallet to send it to.',
      emits: REFUND_EVENTS,
      inTurn: true,
      evenWhenFull: true,
      example: { order: exampleId('ord'), amount: 500, reason: 'duplicate' },
      rule: createRefund,
    }),
    retrieve({ summary: 'Show one refund' }),
  ],
})
