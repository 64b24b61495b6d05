import { flag, text, timestamp } from '../../../contract/declarations/kinds.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { words } from '../../../records/search-filter.ts'
import { verbs } from '../../../records/verbs.ts'
import { Customer } from '../../audience/customer/customer.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { pricesFound } from '../../catalog/product/queries.ts'
import { actionsOf } from './actions.ts'
import { cancelSubscription, pauseSubscription } from './cancel.ts'
import { askForCard, lookUpCard } from './card.ts'
import { askToPay, subscriptionDue, tellOfCharge } from './jobs.ts'
import { mailCanceled } from './letters.ts'
import { resumeSubscription } from './resume.ts'
import { endOfUnpaid, nextDue } from './schedule.ts'
import { Subscription, type SubscriptionRow } from './subscription.ts'

function deriveSubscriptions(rows: SubscriptionRow[], { now }: Context): Derived[] {
  return rows.map((row) => ({
    allowed_actions: actionsOf(row, now),
    next_payment_attempt_at: nextAttempt(row, now),
    unpaid_until: deadline(row),
  }))
}

function nextAttempt(row: SubscriptionRow, now: string): string | null {
  const due = row.held_since === null ? nextDue(row, now) : null
  return due?.step === 'charge' ? due.at : null
}

function deadline({ status, unpaid_since }: SubscriptionRow): string | null {
  return unpaid_since === null || status === 'canceled' ? null : endOfUnpaid(unpaid_since)
}

const SUBSCRIPTION_WORDS = words(
  Subscription,
  'An id, or beginnings of words of the subscriber’s e-mail or name, or of the product’s name',
  async (context, given) => {
    if (Customer.isId(given)) return [['customer', [given]]]
    return [
      ['customer', await customersFound(context, given)],
      ['price_variant', await pricesFound(context, given)],
    ]
  },
)

const { list, retrieve, action } = verbs(Subscription)

export const subscriptions = resource(Subscription, {
  derive: deriveSubscriptions,
  jobs: [subscriptionDue, askToPay, askForCard, lookUpCard, tellOfCharge, mailCanceled],
  operations: [
    list({
      summary: 'List subscriptions',
      description:
        'Includes ended ones, whose status is canceled. Those that will end have any other status and ends_at: filter that by range. Payments are orders; filter orders by subscription.',
      filters: {
        status: equals(Subscription, 'status', 'Only subscriptions in this status'),
        query: SUBSCRIPTION_WORDS,
        customer: equals(Subscription, 'customer', 'Only subscriptions of this customer'),
        price_variant: equals(Subscription, 'price_variant', 'Only subscriptions to this price'),
      },
    }),
    retrieve({ summary: 'Show one subscription' }),
    action('cancel', {
      summary: 'Cancel a subscription',
      description:
        'An active or trialing subscription ends at current_period_end; until then, resume undoes the cancellation. Others, and those whose period is over, end at once. Its access ends with it; nothing is refunded. A payment in progress is dropped, and returned if the money arrives.',
      body: {
        immediately: flag(
          'Whether to end it now instead of at the end of the period, even if cancellation is already scheduled',
        ).default(false),
        reason: text('Reason, shown as cancellation_reason', { max: 500, example: 'too_expensive' }).nullable('none'),
      },
      example: { reason: 'too_expensive' },
      emits: ['subscription.canceled', 'subscription.updated', 'order.failed', 'checkout.expired'],
      inTurn: true,
      evenWhenFull: true,
      rule: cancelSubscription,
    }),
    action('pause', {
      summary: 'Pause a subscription',
      description:
        'Nothing is charged while it is paused; access lasts until current_period_end. Trials continue. Not allowed once cancellation is scheduled. A payment in progress is dropped.',
      body: {
        resumes_at: timestamp('When it resumes automatically; must be in the future').nullable('not automatically'),
      },
      example: { resumes_at: '2027-01-31T00:00:00Z' },
      emits: ['subscription.paused', 'order.failed'],
      inTurn: true,
      rule: pauseSubscription,
    }),
    action('resume', {
      summary: 'Resume a paused or ending subscription',
      description:
        'Within its period it continues as before. If the period is over, a new one starts now and is charged; past_due if that fails. Not allowed after the last installment.',
      emits: ['subscription.resumed'],
      inTurn: true,
      rule: resumeSubscription,
    }),
  ],
})
