import type { PaymentConnector } from './connector.ts'
import type { PaymentOption, PaymentProvider, TestProvider, X402Provider } from './provider.ts'

/** A provider of the registry: `open` makes it when the settings set it up, and gives null otherwise. */
export interface PaymentEntry<Settings> extends PaymentOption {
  open(settings: Settings): PaymentProvider | null
  /** Connects accounts to it, each by credentials of its own. */
  connector(settings: Settings): PaymentConnector
}

export interface Payments {
  /** The one that takes new payments of an account; a test account's is always the test provider. */
  providerFor(account: { test: boolean }): PaymentProvider
  /** The one that a stored payment names. Throws when the settings do not allow it any more. */
  named(name: string): PaymentProvider
  readonly test: TestProvider
  /** Payments in USDC; null where nothing settles them. */
  readonly x402: X402Provider | null
  /** The steps that set up payments in USDC. */
  readonly x402SetUp: readonly string[]
  /** Whether live accounts, too, may try out what is not set up. */
  readonly pretending: boolean
  /** All providers that are set up, including the test provider. */
  readonly all: readonly PaymentProvider[]
  /** Providers of real payments that the service can be set up with. */
  readonly options: readonly PaymentOption[]
  /** Providers that an account can be connected to. */
  readonly connectors: readonly PaymentConnector[]
}
