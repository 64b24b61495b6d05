/** A link that was mailed to a buyer to sign in or to verify a new address. */
interface BuyerLinkRow {
  account_id: string
  token_hash: string
  purpose: 'sign_in' | 'address'
  customer: string
  email: string
  /** In real time. */
  expires_at: string
}

/** The session of a buyer who is signed in to the page of a shop. */
interface BuyerSessionRow {
  account_id: string
  token_hash: string
  customer: string
  /** The customer's address at the beginning of the session. */
  email: string
  created_at: string
  /** In real time. */
  expires_at: string
}

/** The sign-in links and sessions of buyers. Tokens are stored only as hashes. */
export interface BuyerTables {
  buyer_links: BuyerLinkRow
  buyer_sessions: BuyerSessionRow
}
