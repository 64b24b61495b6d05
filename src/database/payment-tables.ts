/** An account's own connection to a payment provider. Payments refer to the connection by its id in their column `provider`. */
interface PaymentConnectionRow {
  account_id: string
  id: string
  /** The name of the payment provider. `provider_account` is the id of the account at the provider. */
  provider: string
  provider_account: string
  name: string | null
  live: number
  /** `key`: with an API key of the account. `platform`: the account has authorized the service's platform at the provider. */
  access: 'key' | 'platform'
  /**
   * `onboarding`: the account at the provider exists, and its owner is completing it there. `current`: it takes new payments. `replaced`:
   * another connection takes new payments, but renewals and refunds continue. `removed`: renewals wait, and refunds continue. `deleted`:
   * the key is deleted, so no request to the provider is possible.
   */
  status: 'onboarding' | 'current' | 'replaced' | 'removed' | 'deleted'
  /** The encrypted API key; null for a platform, and for a deleted connection. */
  sealed_key: string | null
  /** The last characters of the API key, by which people recognize it. */
  key_hint: string | null
  /** Encrypted JSON: the current and the previous secret of the webhook endpoint at the provider. */
  sealed_notices_secrets: string | null
  notices_id: string | null
  /** JSON: the account's details that the provider has reported last. */
  details: string
  /** When the provider first rejected the API key, in real time. */
  refused_at: string | null
  refused_reason: string | null
  created_at: string
  updated_at: string
}

export interface PaymentTables {
  payment_connections: PaymentConnectionRow
}
