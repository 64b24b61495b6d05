/** An account's own connection to a payment provider. Its payments refer to it by id in their `provider`. */
interface PaymentConnectionRow {
  account_id: string
  id: string
  /** The name of the provider. `provider_account` is the id of the account at the provider. */
  provider: string
  provider_account: string
  name: string | null
  live: number
  /** `key`: an API key of the account. `platform`: the account has authorized the service's platform at the provider. */
  access: 'key' | 'platform'
  /**
   * `onboarding`: the account at the provider exists, and its owner is completing it there.
   * `replaced`: another connection takes new payments, but renewals and refunds continue. `removed`: renewals wait, and refunds continue.
   * `deleted`: the key is deleted, and no request to the provider is possible.
   */
  status: 'onboarding' | 'current' | 'replaced' | 'removed' | 'deleted'
  /** Encrypted; null for a platform, and for a deleted connection. */
  sealed_key: string | null
  /** The last characters of the key, so that people can recognize it. */
  key_hint: string | null
  /** JSON, encrypted: the current and the previous secret of the webhook endpoint. */
  sealed_notices_secrets: string | null
  notices_id: string | null
  /** JSON: the last account details from the provider. */
  details: string
  /** When the provider first rejected the key, in real time. */
  refused_at: string | null
  refused_reason: string | null
  created_at: string
  updated_at: string
}

export interface PaymentTables {
  payment_connections: PaymentConnectionRow
}
