import { currency, flag, money, oneOf, reference, text, timestamp } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { laterBy } from '../../../contract/values/values.ts'

/** What a fee of the service has in place of an order. */
export const NO_ORDER = ''

/** What a buyer holds of stock, of a code and of an invoice while paying is given up after so long (settled 1). */
const HELD_MS = 30 * 60 * 1000

/** When a payment that begins at a moment is given up. */
export function payableUntil(now: string): string {
  return laterBy(now, HELD_MS)
}

/** Ways to be paid, as checkouts, orders and charges show them. */
export const PROCESSORS = ['none', 'test', 'card', 'x402'] as const
export type Processor = (typeof PROCESSORS)[number]

/**
 * One try at taking money for one order, from its begin to its outcome. No operation shows it.
 * begun → needs_buyer | pending → succeeded | failed | released; released → returned when money arrives after all, or late
 * where it cannot be sent back.
 */
export const Payment = noun('payment', {
  prefix: 'pay',
  group: 'Orders',
  description: 'An attempt to collect the payment of an order.',
  hidden: {
    order_id: text('The order that it pays; empty for a fee'),
    formation: text('The formation whose fee it pays; such a payment has no order').nullable(),
    provider: text('The provider that takes it'),
    /** JSON of SavedMethod: what a renewal is charged to, or what the buyer left. */
    method: text('A saved method').nullable(),
    url: text('Where the buyer has to go').nullable(),
    /** `network/payer/nonce`; no other payment of any account has it. */
    transfer: text('The signed transfer in USDC that pays it').nullable(),
    /** A merchant has asked for this try, and tells the buyer if it fails. */
    by_hand: flag('Whether a person began it').default(false),
    failure_code: text('Why it failed, as one word of ours').nullable(),
    settle_job: text('The job that settles what a crash or an absent buyer leaves').nullable(),
  },
  fields: {
    status: oneOf(
      ['begun', 'needs_buyer', 'pending', 'succeeded', 'failed', 'released', 'returned', 'late'],
      'Outcome so far',
    ).readOnly(),
    checkout: reference('checkout', 'Checkout that the buyer pays').nullable('a renewal').readOnly(),
    subscription: reference('subscription', 'Subscription that is renewed').nullable('none').readOnly(),
    invoice: reference('invoice', 'Invoice that is paid').nullable('none').readOnly(),
    amount: money('Amount to take; 0 saves a method').readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    reference: text('Id that the provider knows it by').nullable('none yet').readOnly(),
    failure_message: text('Why it failed', { max: 500 }).nullable('it did not fail').readOnly(),
    expires_at: timestamp('When it is released, unless it succeeds').readOnly(),
  },
})

export type PaymentRow = Row<typeof Payment>
