import type { PaymentConnector } from './connector.ts'
import type { PaymentOption, PaymentProvider, TestProvider, X402Provider } from './provider.ts'

/** `open` returns null if the settings do not configure the provider. */
export interface PaymentEntry<Settings> extends PaymentOption {
  open(settings: Settings): PaymentProvider | null
  connector(settings: Settings): PaymentConnector
}

export interface Payments {
  /** Returns the provider for new payments, which for test accounts is always the test provider. */
  providerFor(account: { test: boolean }): PaymentProvider
  /** Returns the provider of a stored payment. Throws if the settings no longer configure it. */
  named(name: string): PaymentProvider
  /** Returns whether rules may call the provider of a stored payment in their transaction; false for accounts' connections. */
  isImmediate(name: string): boolean
  readonly test: TestProvider
  /** The provider of payments in USDC; null if it is not configured. */
  readonly x402: X402Provider | null
  readonly x402SetUp: readonly string[]
  /** Whether live accounts may use simulated providers where nothing is configured. */
  readonly pretending: boolean
  /** All configured providers, including the test provider. */
  readonly all: readonly PaymentProvider[]
  /** The providers of real payments that can be configured. */
  readonly options: readonly PaymentOption[]
  readonly connectors: readonly PaymentConnector[]
}
