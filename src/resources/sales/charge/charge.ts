import { currency, money, oneOf, reference, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'

export const Charge = noun('charge', {
  prefix: 'ch',
  group: 'Orders',
  description: 'An attempt to collect the payment of an order; shown when an order is expanded.',
  gist: 'payment of an order',
  immutable: true,
  example: { failure_message: null, failure_code: null, amount_refunded: 0, payer: null, network: null },
  hidden: { payment: text('The payment that it came of') },
  fields: readOnly({
    amount: money('Amount charged'),
    currency: currency('Currency of the amount'),
    amount_refunded: money('Amount refunded so far'),
    status: oneOf(['succeeded', 'failed', 'refunded', 'partially_refunded'], 'Outcome, including refunds'),
    processor: oneOf(['test', 'card', 'x402'], 'test: test mode, no real money; card: by card; x402: in USDC'),
    processor_reference: text('Id at the processor; x402: transaction hash', {
      max: 300,
      example: 'pi_3PqXyz',
    }).nullable('none'),
    payer: text('Wallet that paid', { max: 42, example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }).nullable(
      'not x402',
    ),
    network: text('Blockchain (CAIP-2)', { max: 50, example: 'eip155:8453' }).nullable('not x402'),
    failure_message: text('Why it failed', { max: 500, example: 'The card was declined.' }).nullable('it did not fail'),
    failure_code: text('The same as one word', { example: 'card_declined' }).nullable('it did not fail'),
    order: reference('order', 'Order it pays for'),
  }),
})

export type ChargeRow = Row<typeof Charge>
