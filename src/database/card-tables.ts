import type { PaymentTables } from './payment-tables.ts'

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
export interface CardTables extends PaymentTables {
  card_changes: CardChangeRow
}
