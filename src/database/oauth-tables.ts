/** An OAuth client that registered itself, unlike a client whose id is the URL of a metadata document. */
interface OAuthClientRow {
  id: string
  name: string
  /** A JSON array of URLs. */
  redirect_uris: string
  /** 1 after a person has given the client access, 0 before. */
  used: number
  created_at: string
  expires_at: string
}

interface OAuthCodeRow {
  account_id: string
  code_hash: string
  /** JSON with the access that the person has granted to the client. */
  consent: string
  /** The connection that the first use of the code created. A second use revokes this connection. */
  connection_id: string | null
  expires_at: string
}

interface OAuthTokenRow {
  account_id: string
  id: string
  connection_id: string
  kind: 'access' | 'refresh'
  token_hash: string
  created_at: string
  expires_at: string
  /** When the refresh token was used; null before its use. */
  rotated_at: string | null
}

export interface OAuthTables {
  oauth_clients: OAuthClientRow
  oauth_codes: OAuthCodeRow
  oauth_tokens: OAuthTokenRow
}
