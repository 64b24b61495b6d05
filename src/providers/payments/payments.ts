import type { PaymentConnector } from './connector.ts'
import type { PaymentOption, PaymentProvider, TestProvider, X402Provider } from './provider.ts'

/** A provider in the registry. `open` returns null if the settings do not configure it. */
export interface PaymentEntry<Settings> extends PaymentOption {
  open(settings: Settings): PaymentProvider | null
  /** Connects accounts to the provider, each with its own credentials. */
  connector(settings: Settings): PaymentConnector
}

export interface Payments {
  /** Returns the provider for an account's new payments; for test accounts, it is always the test provider. */
  providerFor(account: { test: boolean }): PaymentProvider
  /** Returns the provider of a stored payment. Throws if the settings no longer allow it. */
  named(name: string): PaymentProvider
  readonly test: TestProvider
  /** Payments in USDC; null if no settler is configured. */
  readonly x402: X402Provider | null
  /** The steps that set up payments in USDC. */
  readonly x402SetUp: readonly string[]
  /** Whether live accounts may use simulated providers for what is not configured. */
  readonly pretending: boolean
  /** All providers that are set up, including the test provider. */
  readonly all: readonly PaymentProvider[]
  /** Providers of real payments that the service can be set up with. */
  readonly options: readonly PaymentOption[]
  /** Providers that an account can be connected to. */
  readonly connectors: readonly PaymentConnector[]
}
