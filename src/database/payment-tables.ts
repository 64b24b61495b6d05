/** An account's own connection to a payment provider. What was paid by it names its id as the provider. */
interface PaymentConnectionRow {
  account_id: string
  id: string
  /** The name of the provider, and what it calls the account there. */
  provider: string
  provider_account: string
  name: string | null
  live: number
  /** By a key of the account's own, or by the account's consent to the service's platform at the provider. */
  access: 'key' | 'platform'
  /**
   * `onboarding`: the account at the provider is made, and its owner enters there what is missing.
   * `replaced`: another takes new payments, and renewals and refunds go on. `removed`: renewals wait, and refunds go on.
   * `deleted`: the key is forgotten, and nothing can be asked any more.
   */
  status: 'onboarding' | 'current' | 'replaced' | 'removed' | 'deleted'
  /** Encrypted; null for a platform, and for a deleted connection. */
  sealed_key: string | null
  /** The last characters of the key, for people to tell it from others. */
  key_hint: string | null
  /** JSON, encrypted: the secret of the webhook endpoint, and the one before it. */
  sealed_notices_secrets: string | null
  notices_id: string | null
  /** JSON of what the provider said of the account when it was last asked. */
  details: string
  /** When the provider stopped taking the key, in real time, and why. */
  refused_at: string | null
  refused_reason: string | null
  created_at: string
  updated_at: string
}

export interface PaymentTables {
  payment_connections: PaymentConnectionRow
}
