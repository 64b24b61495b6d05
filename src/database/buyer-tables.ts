/** A link in an email to a buyer, to sign in or to verify a new address. */
interface BuyerLinkRow {
  account_id: string
  token_hash: string
  purpose: 'sign_in' | 'address'
  customer: string
  email: string
  /** In real time, even if the account has a test clock. */
  expires_at: string
}

/** The session of a buyer who is signed in to a shop's page. */
interface BuyerSessionRow {
  account_id: string
  token_hash: string
  customer: string
  /** The customer's email address at the start of the session. */
  email: string
  created_at: string
  /** In real time, even if the account has a test clock. */
  expires_at: string
}

/** Tokens are stored only as hashes. */
export interface BuyerTables {
  buyer_links: BuyerLinkRow
  buyer_sessions: BuyerSessionRow
}
