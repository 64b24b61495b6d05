import { flag, text, timestamp } from '../../../contract/kinds.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { askToPay } from './ask_to_pay.ts'
import { cancelSubscription } from './cancel.ts'
import { subscriptionDue } from './jobs.ts'
import { pauseSubscription } from './pause.ts'
import { resumeSubscription } from './resume.ts'
import { deriveSubscriptions } from './show.ts'
import { Subscription } from './subscription.ts'

const { list, retrieve, action } = verbs(Subscription)

export const subscriptions = resource(Subscription, {
  derive: deriveSubscriptions,
  jobs: [subscriptionDue, askToPay],
  operations: [
    list({
      summary: 'List subscriptions',
      description: 'Includes canceled ones. Their payments are orders; filter those by subscription.',
      filters: {
        status: equals(Subscription, 'status', 'Only subscriptions in this status'),
        customer: equals(Subscription, 'customer', 'Only subscriptions of this customer'),
        price_variant: equals(Subscription, 'price_variant', 'Only subscriptions to this price'),
      },
    }),
    retrieve({ summary: 'Show one subscription' }),
    action('cancel', {
      summary: 'Cancel a subscription',
      description:
        'An active or trialing one runs to current_period_end and is canceled then; until then resume takes it back. Others, and those whose period is over, end at once. Ending it ends the access that it gave; nothing is refunded. A payment under way is given up, and its money sent back if it arrives.',
      body: {
        immediately: flag('End it now, even one that is about to end, and not with its period').default(false),
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
        'Nothing is charged while it is paused; access lasts until current_period_end. A trial runs on. Not for one that is about to end. A payment under way is given up.',
      body: {
        resumes_at: timestamp('When it resumes by itself; in the future').nullable('never by itself'),
      },
      example: { resumes_at: '2027-01-31T00:00:00Z' },
      emits: ['subscription.paused', 'order.failed'],
      inTurn: true,
      rule: pauseSubscription,
    }),
    action('resume', {
      summary: 'Resume a paused or ending subscription',
      description:
        'Within its period it goes on as before. When the period is over, a new one starts now and is charged; past_due if that fails. Not after the last instalment.',
      emits: ['subscription.resumed'],
      inTurn: true,
      rule: resumeSubscription,
    }),
  ],
})
