/** A link that was mailed to a buyer: to sign in, or to prove a new address. */
interface BuyerLinkRow {
  account_id: string
  token_hash: string
  purpose: 'sign_in' | 'address'
  customer: string
  /** Where it was mailed to. */
  email: string
  /** In real time. */
  expires_at: string
}

/** A browser in which a buyer is signed in to the page of a shop. */
interface BuyerSessionRow {
  account_id: string
  token_hash: string
  customer: string
  /** The customer's address when it began. */
  email: string
  created_at: string
  /** In real time. */
  expires_at: string
}

/** How buyers reach their own page: no secret is among it. */
export interface BuyerTables {
  buyer_links: BuyerLinkRow
  buyer_sessions: BuyerSessionRow
}
