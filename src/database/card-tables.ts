/** An account's own connection to a payment provider. The column `provider` of payments contains the connection's id. */
interface PaymentConnectionRow {
  account_id: string
  id: string
  provider: string
  provider_account: string
  name: string | null
  live: number
  /** `key`: with an API key of the account. `platform`: the account has authorised the service's platform at the provider. */
  access: 'key' | 'platform'
  /**
   * `onboarding`: the account at the provider exists, and its owner is completing it there. `current`: the connection is used for new
   * payments. `replaced`: another connection is used for new payments, but renewals and refunds continue. `removed`: renewals wait, and
   * refunds continue. `deleted`: the key is deleted, so no request to the provider is possible.
   */
  status: 'onboarding' | 'current' | 'replaced' | 'removed' | 'deleted'
  /** The encrypted API key; null for a platform and for a deleted connection. */
  sealed_key: string | null
  /** The last characters of the API key, by which people recognise it. */
  key_hint: string | null
  /** Encrypted JSON with the current and the previous secret of the webhook endpoint at the provider. */
  sealed_notices_secrets: string | null
  notices_id: string | null
  /** JSON with the account details that the provider reported last. */
  details: string
  /** When the provider first rejected the API key, in real time. */
  refused_at: string | null
  refused_reason: string | null
  created_at: string
  updated_at: string
}

/** A buyer's attempt to replace the card with which their subscriptions are paid. A customer has at most one in progress. */
interface CardChangeRow {
  account_id: string
  id: string
  customer: string
  provider: string
  status: 'begun' | 'needs_buyer' | 'saved' | 'failed'
  /** The id of the attempt at the payment provider; `url` is the page on which the buyer enters the card. */
  reference: string | null
  url: string | null
  failure_message: string | null
  created_at: string
  /** In real time, because the payment provider enforces it. */
  expires_at: string
}

/** Card numbers and other card data are never stored. */
export interface CardTables {
  payment_connections: PaymentConnectionRow
  card_changes: CardChangeRow
}
