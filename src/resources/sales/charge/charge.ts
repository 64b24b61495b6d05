import { currency, money, oneOf, reference, text } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'

export const Charge = noun('charge', {
  prefix: 'ch',
  group: 'Orders',
  description: 'One try at taking the money of an order; shown where an order is expanded.',
  immutable: true,
  example: { failure_message: null, amount_refunded: 0 },
  hidden: { payment: text('The payment that it came of') },
  fields: {
    amount: money('Amount that was charged').readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    amount_refunded: money('Refunded so far').readOnly(),
    status: oneOf(
      ['succeeded', 'failed', 'refunded', 'partially_refunded'],
      'Outcome, and whether it was given back since',
    ).readOnly(),
    processor: oneOf(['test', 'card', 'x402'], 'Processor that took the money').readOnly(),
    processor_reference: text('Id that the processor knows it by', { max: 200, example: 'pi_3PqXyz' })
      .nullable('none')
      .readOnly(),
    failure_message: text('Why it failed', { max: 500, example: 'The card was declined.' })
      .nullable('it did not fail')
      .readOnly(),
    order: reference('order', 'Order that it is for').readOnly(),
  },
})
