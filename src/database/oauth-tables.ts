/** A client that has registered itself, to ask people for access. */
interface OAuthClientRow {
  id: string
  name: string
  /** JSON: an array of addresses. */
  redirect_uris: string
  /** 1 once somebody has allowed it something. */
  used: number
  created_at: string
  expires_at: string
}

/** A code that a client exchanges for tokens. */
interface OAuthCodeRow {
  account_id: string
  code_hash: string
  /** JSON: what the person has allowed. */
  consent: string
  /** The connection that came of it, so that a second use ends it. */
  connection_id: string | null
  expires_at: string
}

/** A token of a connection. */
interface OAuthTokenRow {
  account_id: string
  id: string
  connection_id: string
  kind: 'access' | 'refresh'
  token_hash: string
  created_at: string
  expires_at: string
  /** When a refresh token was used. */
  rotated_at: string | null
}

/** What the authorization server keeps besides connections. */
export interface OAuthTables {
  oauth_clients: OAuthClientRow
  oauth_codes: OAuthCodeRow
  oauth_tokens: OAuthTokenRow
}
