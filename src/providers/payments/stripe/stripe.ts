import type { PaymentEntry } from '../payments.ts'
import { isLiveKey, StripeClient } from './client.ts'
import { StripeConnector, StripePlatform } from './connector.ts'
import { StripeProvider } from './provider.ts'

export interface StripeSettings {
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_CONNECT_WEBHOOK_SECRET?: string | undefined
  STRIPE_APPLICATION_FEE_PERCENT?: number | undefined
  STRIPE_API_URL?: string | undefined
}

const NOTICES_PATH = '/payments/stripe/notices'
const PLATFORM_NOTICES_PATH = '/payments/stripe/connect/notices'

export const stripe: PaymentEntry<StripeSettings> = {
  name: 'stripe',
  title: 'Stripe',
  setUp: [
    'Set STRIPE_SECRET_KEY to a key of Stripe, and restart the service.',
    'At Stripe, add a webhook with the URL shown here for the events of checkout sessions, payment intents, refunds and disputes, and set STRIPE_WEBHOOK_SECRET to its signing secret.',
  ],
  noticesPath: NOTICES_PATH,
  open({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl }) {
    if (!secretKey) return null
    const live = isLiveKey(secretKey)
    const { name, title, noticesPath } = stripe
    return new StripeProvider({
      ...{ name, title, live, noticesPath, noticesSecrets: secretsOf(webhookSecret) },
      missing: live ? [] : ['Set STRIPE_SECRET_KEY to a live key of Stripe, and restart the service.'],
      client: new StripeClient({ secretKey, owner: 'service', apiUrl }),
    })
  },
  connector(settings) {
    return new StripeConnector(stripe, platformOf(settings), settings.STRIPE_API_URL)
  },
}

function platformOf(settings: StripeSettings): StripePlatform | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_CONNECT_WEBHOOK_SECRET: secret, STRIPE_API_URL: apiUrl } = settings
  if (!secretKey || !secret) return null
  const feePercent = settings.STRIPE_APPLICATION_FEE_PERCENT ?? 0
  return new StripePlatform({
    ...{ secretKey, apiUrl, feePercent, noticesSecrets: secretsOf(secret) },
    noticesPath: PLATFORM_NOTICES_PATH,
  })
}

/** Returns the secrets of a setting, which has two during a rotation, separated by a comma. */
function secretsOf(setting: string | undefined): string[] {
  return setting?.split(',') ?? []
}
