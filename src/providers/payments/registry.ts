import type { PaymentEntry, Payments } from './payments.ts'
import { type StripeSettings, stripe } from './stripe/stripe.ts'
import { testProvider } from './test/test.ts'
import { openX402, X402_SET_UP, type X402Settings } from './x402/x402.ts'

export type PaymentSettings = StripeSettings & X402Settings

/** The first configured provider takes the new payments of live accounts. */
const ENTRIES: readonly PaymentEntry<PaymentSettings>[] = [stripe]

/** Opens the configured providers and the test provider, which serves test accounts, and live ones if no other is configured. */
export function createPayments(settings: PaymentSettings, pretending = false): Payments {
  const real = ENTRIES.flatMap((entry) => entry.open(settings) ?? [])
  const x402 = openX402(settings)
  const forPages = [...real, testProvider]
  const all = [...forPages, ...(x402 ? [x402] : [])]
  return {
    providerFor: ({ test }) => (test ? testProvider : forPages[0]!),
    named(name) {
      const provider = all.find((one) => one.name === name)
      if (!provider) throw new Error(`The payment provider ${name} is not set up; its settings are missing.`)
      return provider
    },
    isImmediate: (name) => all.some((one) => one.name === name && one.immediate),
    test: testProvider,
    x402,
    x402SetUp: X402_SET_UP,
    pretending,
    all,
    options: ENTRIES,
    connectors: ENTRIES.map((entry) => entry.connector(settings)),
  }
}
