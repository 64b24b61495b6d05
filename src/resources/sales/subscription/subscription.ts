import { z } from 'zod'
import {
  currency,
  flag,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  structure,
  text,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { country, region, vatId } from '../../../contract/declarations/place.ts'
import type { SubscriptionTerms } from './terms.ts'

const BLANK_TERMS: SubscriptionTerms = {
  interval: 'month',
  interval_count: 1,
  unit_amount: 0,
  installment_count: null,
  revoke_after_days: null,
  product_name: '',
  price_variant_name: '',
  discount: null,
}

export const Subscription = noun('subscription', {
  prefix: 'sub',
  group: 'Subscriptions',
  area: 'sales',
  description: 'A purchase that is charged every period, on its original terms.',
  gist: 'recurring purchase',
  events: ['created', 'updated', 'renewed', 'past_due', 'paused', 'resumed', 'canceled'],
  eventExpand: ['customer'],
  states: {
    active: ['cancel', 'pause', 'resume'],
    trialing: ['cancel', 'pause', 'resume'],
    past_due: ['cancel'],
    unpaid: ['cancel'],
    incomplete: ['cancel'],
    paused: ['cancel', 'resume'],
    canceled: [],
  },
  example: {
    region: null,
    vat_id: null,
    trial_ends_at: null,
    ends_at: null,
    canceled_at: null,
    paused_at: null,
    resumes_at: null,
    discount: null,
    cancellation_reason: null,
    amount_due: null,
    failed_payments_count: 0,
    last_payment_error: null,
    last_payment_error_code: null,
    held_since: null,
  },
  hidden: {
    /** A copy, so that later changes of the price or the discount have no effect on the subscription. */
    terms: structure<SubscriptionTerms>('object', z.custom<SubscriptionTerms>(), 'Agreed terms', BLANK_TERMS),
    /** Period n ends at anchor + n intervals. Null until the first charge: during a trial, or after a pause longer than the paid period. */
    anchor: timestamp('The start of the first charged period').nullable(),
    periods: integer('Charged periods since the anchor').default(0),
    /** A repeating discount counts its months from this time, because the anchor can change. */
    first_charged_at: timestamp('The start of the first charged period of all').nullable(),
    provider: text('The provider that has the method'),
    method: text('JSON of the saved method').nullable(),
    due_job: text('The job that does what falls due next').nullable(),
    unpaid_since: timestamp('The due date of the unpaid period').nullable(),
    imported_payments_count: integer('Periods that were charged elsewhere, before it was imported').default(0),
    /** True for an imported subscription that its former system may still charge. */
    awaits_takeover: flag('Whether only the shop can resume it').default(false),
    /** Set if the connection was out of order at the due date; dunning then counts its days from this time. */
    due_since: timestamp('When the period could be charged again').nullable(),
    notice_job: text('The job that tells the buyer of the next charge').nullable(),
    /** Until the outcome of this payment is known, no other starts, and no charge is scheduled. */
    paying: text('The payment that is under way').nullable(),
  },
  fields: readOnly({
    status: oneOf(
      ['active', 'trialing', 'past_due', 'unpaid', 'incomplete', 'paused', 'canceled'],
      'active: paid; trialing: free until trial_ends_at; past_due: a charge failed and is retried 1, 3, 5 and 7 days after current_period_end; unpaid: from day 14 after it, canceled on day 30 if nothing was paid; incomplete: never used; paused: nothing is charged; canceled: ended. Buyers keep access while past_due or unpaid. Recurring revenue counts active and past_due',
    ),
    customer: reference('customer', 'Buyer').expandable(),
    price_variant: reference('price_variant', 'Price that is charged').expandable(),
    product: reference('product', 'Product of the price').expandable(),
    order: reference('order', 'First order').expandable(),
    discount: reference('discount', 'Discount used at purchase').nullable('none').expandable(),
    quantity: integer('Quantity bought', { min: 1, unit: 'units' }),
    country: country('Country where it is taxed: as the buyer said, until the customer is changed').nullable(
      'not asked',
    ),
    region: region('US state or Canadian province where it is taxed').nullable('none'),
    vat_id: vatId('VAT id of the buyer').nullable('none'),
    amount: money('Amount per period, before discounts; the price has the recurring_interval'),
    currency: currency('Currency of the amount'),
    current_period_start: timestamp('When the current period began').nullable('none yet'),
    current_period_end: timestamp('When the current period ends and the next is charged').nullable('none yet'),
    trial_ends_at: timestamp('When the trial ends and the first period is charged').nullable('no trial'),
    ends_at: timestamp('When it ends, or ended').nullable('no end is set'),
    canceled: flag('Whether it was canceled: it has ended if its status is canceled, else it ends at ends_at'),
    paused: flag('Whether it is paused'),
    canceled_at: timestamp('When it was canceled').nullable('not canceled'),
    cancellation_reason: text(
      'Reason for the cancellation; completed after the last installment, unpaid after 30 days without payment',
      {
        max: 500,
        example: 'too_expensive',
      },
    )
      .nullable('none')
      .byStrangers(),
    paused_at: timestamp('When it was paused').nullable('not paused'),
    resumes_at: timestamp('When it resumes automatically').nullable('not scheduled'),
    payments_count: integer('Number of charged periods', { min: 0 }),
    amount_due: money('Amount of the unpaid period, after discounts').nullable('nothing is unpaid'),
    failed_payments_count: integer('Number of failed payments of the unpaid period, those of the buyer included', {
      min: 0,
      example: 0,
    }).default(0),
    last_payment_error: text('Why the last of them failed, in the provider’s words', {
      max: 500,
      example: 'Your card has insufficient funds.',
    }).nullable('none failed'),
    last_payment_error_code: text('The same as one word', { example: 'insufficient_funds' }).nullable('none failed'),
    held_since: timestamp('Since when its charges wait for the connection to the payment provider').nullable(
      'they do not wait',
    ),
    next_payment_attempt_at: timestamp('When the card is charged next')
      .nullable('no charge is planned, or one is under way')
      .derived(),
    unpaid_until: timestamp('When it is canceled if the unpaid period is not paid')
      .nullable('nothing is unpaid')
      .derived(),
    metadata: metadata(),
  }),
})

export type SubscriptionRow = Row<typeof Subscription>
