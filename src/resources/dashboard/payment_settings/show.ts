import type { Context } from '../../../records/context.ts'
import { providerOf } from '../../sales/payment/provider.ts'

/** The provider that takes the account's payments, and what stands between it and real money. */
export async function showPaymentSettings(context: Context): Promise<object> {
  const { name, live } = providerOf(context)
  const notices_url = context.test ? null : `${context.publicUrl}/payments/stripe/notices`
  return { provider: name, takes_real_money: live, ...whyOf(context, name, live), notices_url }
}

function whyOf({ test }: Context, provider: string, live: boolean): { reason: string; missing: string[] } {
  if (test) return { reason: 'This is a test account, so its payments are never real.', missing: [] }
  if (live) return { reason: 'Buyers pay with real money at Stripe.', missing: [] }
  if (provider === 'stripe')
    return {
      reason: 'Stripe is set up with a test key, so payments are not real.',
      missing: ['Set STRIPE_SECRET_KEY to a live key of Stripe, and restart the service.'],
    }
  return {
    reason: 'No payment provider is set up, so buyers pay with test cards.',
    missing: [
      'Set STRIPE_SECRET_KEY to a key of Stripe, and restart the service.',
      'At Stripe, add a webhook with the URL shown here, and set STRIPE_WEBHOOK_SECRET to its signing secret.',
    ],
  }
}
