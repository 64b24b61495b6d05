/** An OAuth client that has registered itself. */
interface OAuthClientRow {
  id: string
  name: string
  /** JSON: an array of URLs. */
  redirect_uris: string
  /** 1 once a person has granted it access. */
  used: number
  created_at: string
  expires_at: string
}

/** An authorization code. */
interface OAuthCodeRow {
  account_id: string
  code_hash: string
  /** JSON: the access that the person has granted. */
  consent: string
  /** The connection that the first use created. A second use ends that connection. */
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
  /** The time when a refresh token was used. */
  rotated_at: string | null
}

export interface OAuthTables {
  oauth_clients: OAuthClientRow
  oauth_codes: OAuthCodeRow
  oauth_tokens: OAuthTokenRow
}
