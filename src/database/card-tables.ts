import type { PaymentTables } from './payment-tables.ts'

/** A buyer's way to another card for the subscriptions: one at a time. */
interface CardChangeRow {
  account_id: string
  id: string
  customer: string
  provider: string
  status: 'begun' | 'needs_buyer' | 'saved' | 'failed'
  /** What the provider knows it by, and where the buyer enters the card. */
  reference: string | null
  url: string | null
  failure_message: string | null
  created_at: string
  /** In real time, as the provider counts it. */
  expires_at: string
}

/** What is kept of buyers' cards: nothing of a card itself. */
export interface CardTables extends PaymentTables {
  card_changes: CardChangeRow
}
