import type { Generated } from 'kysely'

interface UserRow {
  id: string
  name: string
  email: string
  created_at: string
  email_verified: Generated<number>
  updated_at: Generated<string | null>
}

interface SessionRow {
  id: string
  user_id: string
  /** A keyed hash of the token in the browser's cookie. */
  token_hash: string
  ip_address: string | null
  user_agent: string | null
  expires_at: string
  created_at: string
  /** When the session was last used, accurate to a few minutes. */
  updated_at: string
}

interface SignInMethodRow {
  id: string
  user_id: string
  provider_id: string
  /** The person's id at the provider of the sign-in method; for a password, the user id. */
  provider_account: string
  password_hash: string | null
  created_at: string
  updated_at: string
}

/** A single-use token, such as that of a link to set a password. */
interface VerificationRow {
  id: string
  /** A keyed hash of the token and of its purpose. */
  identifier: string
  value: string
  /** The address to which the link was emailed; null if an operator created the link. */
  mailed_to: Generated<string | null>
  expires_at: string
  created_at: string
  updated_at: string
}

/** A person's new email address that is not confirmed yet. A person has at most one. */
interface AddressChangeRow {
  user_id: string
  id: string
  email: string
  /** A keyed hash of the token in the confirmation link; null until the link is emailed. */
  token_hash: string | null
  expires_at: string
  created_at: string
}

interface PasskeyRow {
  id: string
  user_id: string
  name: string | null
  public_key: string
  credential_id: string
  counter: number
  device_type: string
  backed_up: number
  transports: string | null
  aaguid: string | null
  created_at: string
}

export interface PeopleTables {
  users: UserRow
  sessions: SessionRow
  sign_in_methods: SignInMethodRow
  verifications: VerificationRow
  address_changes: AddressChangeRow
  passkeys: PasskeyRow
}
