import type { PaymentTables } from './payment-tables.ts'

/** A buyer's attempt to replace the card of their subscriptions. A customer has at most one in progress. */
interface CardChangeRow {
  account_id: string
  id: string
  customer: string
  provider: string
  status: 'begun' | 'needs_buyer' | 'saved' | 'failed'
  /** The id at the provider. `url` is the page on which the buyer enters the card. */
  reference: string | null
  url: string | null
  failure_message: string | null
  created_at: string
  /** In real time, as the provider counts it. */
  expires_at: string
}

/** Card numbers and other data of cards are never stored. */
export interface CardTables extends PaymentTables {
  card_changes: CardChangeRow
}
