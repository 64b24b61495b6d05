import type { PaymentProvider } from './provider.ts'

/** A connection is opened with a key of the account's own, or with its provider account under the platform of the service. */
export type Credentials = { by: 'key'; key: string } | { by: 'platform'; providerAccount: string; live: boolean }

export interface ConnectedAccount {
  /** The provider's id of the account: the same for each of its keys. */
  id: string
  /** The name that its owner gave it; null where there is none, or the key may not read it. */
  name: string | null
  live: boolean
  /** Whether the provider lets it take payments now, or the key may not read that. */
  takesPayments: boolean
  /** The payment methods that our checkout offers, in words for people: `Cards`, `Apple Pay`. */
  methods: string[]
  /** It is null if the key may not read the account. `schedule` is a phrase: `every Monday`. */
  payouts: { enabled: boolean; schedule: string | null } | null
  /** The steps that are left before it takes real money, a sentence each. */
  missing: string[]
}

/** A stored connection of one of our accounts, with its secrets decrypted. */
export interface Connection {
  name: string
  /** The account that owns the connection. Notices about any other account are ignored. */
  accountId: string
  credentials: Credentials
  /** The signing secrets that `listen` gave; more than one while they change. Empty for a connection by the platform. */
  noticesSecrets: readonly string[]
  /** The path that the provider posts notices to, below the address of the service; null for a connection by the platform. */
  noticesPath: string | null
}

/** Connects accounts to a provider, so that each takes payments for itself. */
export interface PaymentConnector {
  readonly name: string
  /** The provider's name in texts for people. */
  readonly title: string
  /** The permissions that a restricted key needs, in the words of the provider's dashboard: `Checkout Sessions: Write`. */
  readonly permissions: readonly string[]
  /** The page of the provider's dashboard on which a key with these permissions is made. */
  newKeyUrl(live: boolean): string
  /** Asks the provider about the account, and whether the key may do all that is needed. Throws KeyRefusedError. */
  inspect(credentials: Credentials, signal?: AbortSignal): Promise<ConnectedAccount>
  /**
   * Has the provider post to a URL what its adapter reads. An earlier endpoint for the same URL is replaced, so a call whose
   * answer was lost can be repeated. Throws ConnectionRefusedError.
   */
  listen(key: string, url: string, signal?: AbortSignal): Promise<{ id: string; secret: string }>
  /** Ends an endpoint; one that is already gone is fine. Throws KeyRefusedError. */
  stopListening(key: string, id: string, signal?: AbortSignal): Promise<void>
  /** Throws when the settings of the service no longer allow it. */
  open(connection: Connection): PaymentProvider
  /** It is null if the operator has not set it up. */
  readonly platform: PaymentPlatform | null
}

/** The service as a platform of the provider, under which accounts are made for people who have none of their own. */
export interface PaymentPlatform {
  readonly live: boolean
  /** The path that the provider posts the notices of all its accounts to. */
  readonly noticesPath: string
  /** Makes an account at the provider, and gives its id. The same request is the same account for a day. */
  createAccount(request: NewProviderAccount): Promise<string>
  /**
   * A page of the provider on which the owner of an account enters what it needs to take payments. It opens once, within a few
   * minutes. Afterwards the provider leads to `returnUrl`, which does not mean that everything was entered: `inspect` says
   * that. A page that no longer opens leads to `refreshUrl`, which has to ask for another one.
   */
  onboardingUrl(request: OnboardingRequest): Promise<string>
  /** Checks a notice, and says what to do with it; null for one to ignore. Throws BadNoticeError. */
  addressee(body: Uint8Array, header: (name: string) => string | null): Promise<PlatformNotice | null>
}

export interface NewProviderAccount {
  accountId: string
  name: string
  email: string
  /** ISO 3166-1 alpha-2; the owner chooses one on the provider's page where it is absent. */
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
  /** `payment` is for `readNotice` of the connection with this provider account; `account` asks for an `inspect`. */
  kind: 'payment' | 'account'
}

/** A provider refuses what a connection asks. The message is a sentence for the merchant and holds no secret. */
export class ConnectionRefusedError extends Error {
  override name = 'ConnectionRefusedError'
}

/**
 * A provider does not take a key for a request, which was not carried out. Every method of a provider may throw it, so that a
 * payment which fails because of the key is not counted as a try of the buyer's card.
 */
export class KeyRefusedError extends ConnectionRefusedError {
  override name = 'KeyRefusedError'
  /** The owner of the key, who has to act. */
  readonly owner: 'account' | 'service'
  /** The key is invalid for everything, lacks a permission for this request, or has lost access to the account. */
  readonly reason: 'key' | 'permission' | 'access'

  constructor(message: string, { owner, reason }: Pick<KeyRefusedError, 'owner' | 'reason'>) {
    super(message)
    this.owner = owner
    this.reason = reason
  }
}
