import type { PaymentProvider, Payments } from './provider.ts'
import { stripeProvider } from './stripe.ts'
import { testProvider } from './test.ts'

/** What decides which provider takes payments. */
export interface PaymentSettings {
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_API_URL?: string | undefined
}

/** The providers that the settings choose: with a key of Stripe, live accounts pay there; all else is test mode. */
export function createPayments(settings: PaymentSettings): Payments {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = settings
  const live: PaymentProvider = secretKey
    ? stripeProvider({ secretKey, webhookSecret: webhookSecret ?? '', apiUrl })
    : testProvider
  return {
    providerFor: ({ test }) => (test ? testProvider : live),
    named(name) {
      const provider = [live, testProvider].find((one) => one.name === name)
      if (!provider) throw new Error(`The payment provider ${name} is not set up; its settings are missing.`)
      return provider
    },
    test: testProvider,
  }
}
