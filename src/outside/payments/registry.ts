import type { PaymentEntry, Payments } from './provider.ts'
import { type StripeSettings, stripe } from './stripe/stripe.ts'
import { testProvider } from './test/test.ts'

/** What decides which provider takes payments. */
export type PaymentSettings = StripeSettings

/** Providers of real payments. The first one that is set up takes the new payments of live accounts. */
const ENTRIES: readonly PaymentEntry<PaymentSettings>[] = [stripe]

/** The providers that the settings set up, and the test provider, which takes payments where there is no other. */
export function createPayments(settings: PaymentSettings): Payments {
  const real = ENTRIES.flatMap((entry) => entry.open(settings) ?? [])
  const all = [...real, testProvider]
  return {
    providerFor: ({ test }) => (test ? testProvider : all[0]!),
    named(name) {
      const provider = all.find((one) => one.name === name)
      if (!provider) throw new Error(`The payment provider ${name} is not set up; its settings are missing.`)
      return provider
    },
    test: testProvider,
    all,
    options: ENTRIES,
  }
}
