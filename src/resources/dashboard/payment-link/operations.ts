import { text } from '../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../contract/declarations/noun.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { Email } from '../../messages/email/email.ts'
import { OPENING_EVENTS, SALE_EVENTS } from '../../sales/payment/events.ts'
import { chargeNow } from '../../sales/subscription/jobs.ts'
import { Subscription } from '../../sales/subscription/subscription.ts'
import { openPaymentLink, remindOfPayment } from './open.ts'
import { PaymentLink, UNPAID } from './payment-link.ts'

export const paymentLinks = resource(PaymentLink, {
  dashboard: [
    custom({
      id: 'open_payment_link',
      method: 'POST',
      path: '/payment_links',
      summary: 'Get the page where the buyer pays what could not be charged',
      answers: PaymentLink,
      body: UNPAID,
      emits: OPENING_EVENTS,
      inTurn: true,
      example: { subscription: exampleId('sub') },
      rule: openPaymentLink,
    }),
    custom({
      id: 'mail_payment_link',
      // Sending a payment link is as harmless as any e-mail that support writes.
      right: 'sales.write',
      method: 'POST',
      path: '/payment_reminders',
      summary: 'Mail the buyer the page where to pay what could not be charged',
      answers: Email,
      body: UNPAID,
      rate: 'slow',
      emits: [...OPENING_EVENTS, 'email.created'],
      inTurn: true,
      example: { subscription: exampleId('sub') },
      rule: remindOfPayment,
    }),
    custom({
      id: 'charge_subscription_now',
      method: 'POST',
      path: '/payment_attempts',
      rubyHelper: 'charge_now',
      summary: 'Charge the unpaid period of a subscription now',
      description:
        'One more try besides the scheduled ones, which stay as they are if it fails; at most 12 tries a period. While a payment is under way, or nothing is unpaid, it is 400 invalid_state. The buyer is not mailed if it fails.',
      answers: Subscription,
      body: {
        subscription: text('Subscription with an unpaid period', { max: 200, example: exampleId('sub') }).required(),
      },
      emits: SALE_EVENTS,
      inTurn: true,
      evenWhenFull: true,
      rule: (context, { input }) => chargeNow(context, input.subscription),
    }),
  ],
})
