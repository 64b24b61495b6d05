import type { PaymentProvider } from './provider.ts'

/** The account's own key at the provider, or an account of the provider under the service's platform. */
export type Credentials = { by: 'key'; key: string } | { by: 'platform'; providerAccount: string; live: boolean }

export interface ConnectedAccount {
  /** The provider's id of the account, which is the same for all its keys. */
  id: string
  /** The name that the owner gave the account; null if there is none or the key may not read it. */
  name: string | null
  live: boolean
  /** Whether the account can take payments at the provider now; also true if the key may not read that. */
  takesPayments: boolean
  /** The payment methods that our checkout offers, as shown to people: `Cards`, `Apple Pay`. */
  methods: string[]
  /** `schedule` is a phrase, such as `every Monday`. Null if the key may not read the account. */
  payouts: { enabled: boolean; schedule: string | null } | null
  /** The remaining steps before the account can take real money, a sentence each. */
  missing: string[]
}

/** A stored connection to the provider, with decrypted secrets. */
export interface Connection {
  name: string
  /** The account that owns the connection. Webhook events about other accounts are ignored. */
  accountId: string
  credentials: Credentials
  /** The signing secrets of webhooks: several during a rotation, none for a platform connection. */
  noticesSecrets: readonly string[]
  /** The path below the service's URL to which the provider posts webhooks; null for a platform connection. */
  noticesPath: string | null
}

export interface PaymentConnector {
  readonly name: string
  readonly title: string
  /** The permissions that a restricted key needs, as the provider's dashboard names them: `Checkout Sessions: Write`. */
  readonly permissions: readonly string[]
  /** The page of the provider's dashboard for creating a key with these permissions. */
  newKeyUrl(live: boolean): string
  /** Reads the account at the provider, and checks that the key has all required permissions. Throws KeyRefusedError. */
  inspect(credentials: Credentials, signal?: AbortSignal): Promise<ConnectedAccount>
  /** Registers a webhook endpoint in place of one with the same URL, so that retries are safe. Throws ConnectionRefusedError. */
  listen(key: string, url: string, signal?: AbortSignal): Promise<{ id: string; secret: string }>
  /** Succeeds if the endpoint does not exist. Throws KeyRefusedError. */
  stopListening(key: string, id: string, signal?: AbortSignal): Promise<void>
  /** Throws if the service's settings no longer allow the connection. */
  open(connection: Connection): PaymentProvider
  /** Null if the operator has not configured the service as a platform. */
  readonly platform: PaymentPlatform | null
}

/** The service as a platform of the provider, where people without a provider account can create one. */
export interface PaymentPlatform {
  readonly live: boolean
  /** The path to which the provider posts the webhook events of all its accounts. */
  readonly noticesPath: string
  /** Creates an account at the provider and returns its id. Repeating the request within a day returns the same account. */
  createAccount(request: NewProviderAccount): Promise<string>
  /**
   * Returns the URL of the provider's page for the account's details, which can be opened once within a few minutes. The provider
   * redirects to `returnUrl` even if details are missing, which only `inspect` shows. An expired page redirects to `refreshUrl`, which
   * must request a new one.
   */
  onboardingUrl(request: OnboardingRequest): Promise<string>
  /** Verifies a webhook event. Returns null for an event to ignore. Throws BadNoticeError. */
  addressee(body: Uint8Array, header: (name: string) => string | null): Promise<PlatformNotice | null>
}

export interface NewProviderAccount {
  accountId: string
  name: string
  email: string
  /** An ISO 3166-1 alpha-2 code; if absent, the owner chooses the country on the provider's page. */
  country?: string | undefined
  signal?: AbortSignal | undefined
}

export interface OnboardingRequest {
  providerAccount: string
  returnUrl: string
  refreshUrl: string
  signal?: AbortSignal | undefined
}

export interface PlatformNotice {
  providerAccount: string
  /** `payment` events go to `readNotice` of the connection's provider; after `account` events, the account has to be inspected. */
  kind: 'payment' | 'account'
}

/** The message is a sentence for the merchant and contains no secret. */
export class ConnectionRefusedError extends Error {}

/** The provider did not accept the key and carried out nothing, so this error does not count as an attempt with the buyer's card. */
export class KeyRefusedError extends ConnectionRefusedError {
  /** The owner of the key, who has to act. */
  readonly owner: 'account' | 'service'
  /** `key`: the key is invalid; `permission`: the key lacks a permission; `access`: the key lost access to the account. */
  readonly reason: 'key' | 'permission' | 'access'

  constructor(message: string, { owner, reason }: Pick<KeyRefusedError, 'owner' | 'reason'>) {
    super(message)
    this.owner = owner
    this.reason = reason
  }
}
