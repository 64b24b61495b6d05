import type { PaymentProvider } from './provider.ts'

/** The access to an account at the provider: the account's own key, or its provider account under the service's platform. */
export type Credentials = { by: 'key'; key: string } | { by: 'platform'; providerAccount: string; live: boolean }

export interface ConnectedAccount {
  /** The provider's id of the account: the same for each of its keys. */
  id: string
  /** The name that the owner gave the account; null if there is none or the key may not read it. */
  name: string | null
  live: boolean
  /** Whether the provider lets the account take payments at present; also true if the key may not read that. */
  takesPayments: boolean
  /** The payment methods that our checkout offers, in words for people: `Cards`, `Apple Pay`. */
  methods: string[]
  /** The account's payouts; null if the key may not read the account. `schedule` is a phrase: `every Monday`. */
  payouts: { enabled: boolean; schedule: string | null } | null
  /** The remaining steps before the account takes real money, a sentence each. */
  missing: string[]
}

/** A stored connection of one of our accounts, with decrypted secrets. */
export interface Connection {
  name: string
  /** The account that owns the connection. Webhook events about other accounts are ignored. */
  accountId: string
  credentials: Credentials
  /** The signing secrets that `listen` returned, several during a rotation; empty for a platform connection. */
  noticesSecrets: readonly string[]
  /** The path below the service's URL to which the provider posts webhooks; null for a platform connection. */
  noticesPath: string | null
}

/** Connects accounts to a provider, so that each takes its own payments. */
export interface PaymentConnector {
  readonly name: string
  /** The provider's name in texts for people. */
  readonly title: string
  /** The permissions that a restricted key needs, as the provider's dashboard names them: `Checkout Sessions: Write`. */
  readonly permissions: readonly string[]
  /** The page of the provider's dashboard on which a key with these permissions is made. */
  newKeyUrl(live: boolean): string
  /** Reads the account at the provider, and checks that the key has all needed permissions. Throws KeyRefusedError. */
  inspect(credentials: Credentials, signal?: AbortSignal): Promise<ConnectedAccount>
  /**
   * Registers a webhook endpoint for the events that the adapter reads. Replaces an endpoint with the same URL, so a call whose
   * response was lost can be repeated. Throws ConnectionRefusedError.
   */
  listen(key: string, url: string, signal?: AbortSignal): Promise<{ id: string; secret: string }>
  /** Deletes a webhook endpoint; succeeds if it does not exist. Throws KeyRefusedError. */
  stopListening(key: string, id: string, signal?: AbortSignal): Promise<void>
  /** Returns the provider for an account's connection. Throws if the service's settings no longer allow it. */
  open(connection: Connection): PaymentProvider
  /** The service as a platform of the provider; null if the operator has not configured it. */
  readonly platform: PaymentPlatform | null
}

/** The service as a platform of the provider, with which people without a provider account can create one. */
export interface PaymentPlatform {
  readonly live: boolean
  /** The path to which the provider posts the webhooks of all its accounts. */
  readonly noticesPath: string
  /** Creates an account at the provider and returns its id. Repeating the same request within a day returns the same account. */
  createAccount(request: NewProviderAccount): Promise<string>
  /**
   * Returns the URL of a provider's page on which the account's owner enters the required details. The URL can be opened once,
   * within a few minutes. The provider then redirects to `returnUrl`, even if details are missing, which only `inspect` shows. An
   * expired page redirects to `refreshUrl`, which has to request a new one.
   */
  onboardingUrl(request: OnboardingRequest): Promise<string>
  /** Verifies a webhook event and returns its connection and kind, or null for an event to ignore. Throws BadNoticeError. */
  addressee(body: Uint8Array, header: (name: string) => string | null): Promise<PlatformNotice | null>
}

export interface NewProviderAccount {
  accountId: string
  name: string
  email: string
  /** ISO 3166-1 alpha-2; if absent, the owner chooses one on the provider's page. */
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
  /** `payment` events go to `readNotice` of the account's connection; `account` events require an `inspect`. */
  kind: 'payment' | 'account'
}

/** The provider refused a request of a connection. The message is a sentence for the merchant and contains no secret. */
export class ConnectionRefusedError extends Error {
  override name = 'ConnectionRefusedError'
}

/**
 * The provider did not accept the key, so the request was not carried out. Every method of a provider may throw it, so that such
 * a failure does not count as an attempt with the buyer's card.
 */
export class KeyRefusedError extends ConnectionRefusedError {
  override name = 'KeyRefusedError'
  /** The owner of the key, who has to act. */
  readonly owner: 'account' | 'service'
  /** `key`: the key is invalid; `permission`: it lacks a permission for this request; `access`: it lost access to the account. */
  readonly reason: 'key' | 'permission' | 'access'

  constructor(message: string, { owner, reason }: Pick<KeyRefusedError, 'owner' | 'reason'>) {
    super(message)
    this.owner = owner
    this.reason = reason
  }
}
