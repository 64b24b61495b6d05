import { currency, flag, money, oneOf, reference, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'

/** The order id of a payment of a service fee, because such a payment has no order. */
export const NO_ORDER = ''

/** The time after which a payment that is not completed releases its stock, discount redemption and invoice. */
const HELD_MS = 30 * 60 * 1000

/** Returns when a payment that begins now expires. */
export function payableUntil(now: string): string {
  return laterBy(now, HELD_MS)
}

/** Payment methods, as shown in checkouts, orders and charges. */
export const PROCESSORS = ['none', 'test', 'card', 'x402'] as const
export type Processor = (typeof PROCESSORS)[number]

/**
 * States: begun → needs_buyer | pending → succeeded | failed | released. Money that arrives after failed or released is refunded
 * (returned), or recorded as late if it cannot be refunded. No operation returns payments.
 */
export const Payment = noun('payment', {
  prefix: 'pay',
  group: 'Orders',
  description: 'An attempt to collect the payment of an order.',
  hidden: {
    order_id: text('The order that it pays; empty for a fee'),
    formation: text('The formation whose fee it pays; such a payment has no order').nullable(),
    provider: text('The provider that takes it'),
    /** JSON of a SavedMethod: the method that a renewal charges, or the one that the buyer saved. */
    method: text('A saved method').nullable(),
    url: text('Where the buyer has to go').nullable(),
    /** Identifies the signed transfer as `network/payer/nonce`; unique across all accounts. */
    transfer: text('The signed transfer in USDC that pays it').nullable(),
    /** The buyer gets no e-mail about the failure of an attempt that the merchant started. */
    by_hand: flag('Whether a person began it').default(false),
    failure_code: text('Why it failed, as one word of ours').nullable(),
    settle_job: text('The job that settles what a crash or an absent buyer leaves').nullable(),
  },
  fields: readOnly({
    status: oneOf(
      ['begun', 'needs_buyer', 'pending', 'succeeded', 'failed', 'released', 'returned', 'late'],
      'Outcome so far',
    ),
    checkout: reference('checkout', 'Checkout that the buyer pays').nullable('a renewal'),
    subscription: reference('subscription', 'Subscription that is renewed').nullable('none'),
    invoice: reference('invoice', 'Invoice that is paid').nullable('none'),
    amount: money('Amount to take; 0 saves a method'),
    currency: currency('Currency of the amount'),
    reference: text('Id that the provider knows it by').nullable('none yet'),
    failure_message: text('Why it failed', { max: 500 }).nullable('it did not fail'),
    expires_at: timestamp('When it is released, unless it succeeds'),
  }),
})

export type PaymentRow = Row<typeof Payment>
