import type { Generated } from 'kysely'

/** A person, who may belong to several accounts and is known by the e-mail address. */
interface UserRow {
  id: string
  name: string
  email: string
  created_at: string
  email_verified: Generated<number>
  updated_at: Generated<string | null>
}

/** Somebody who is signed in with one browser. */
interface SessionRow {
  id: string
  user_id: string
  /** Keyed hash of what the browser's cookie holds. */
  token_hash: string
  ip_address: string | null
  user_agent: string | null
  expires_at: string
  created_at: string
  /** When it was last used, to within some minutes. */
  updated_at: string
}

/** A way in which a person signs in, such as a password. */
interface SignInMethodRow {
  id: string
  user_id: string
  provider_id: string
  /** The person's id at the provider; the user's own for a password. */
  provider_account: string
  password_hash: string | null
  created_at: string
  updated_at: string
}

/** Something that is proven once by whoever holds its token, such as a link to set a password. */
interface VerificationRow {
  id: string
  /** Keyed hash of its purpose and token. */
  identifier: string
  value: string
  /** The address that a link was mailed to; null where an operator made it. */
  mailed_to: Generated<string | null>
  expires_at: string
  created_at: string
  updated_at: string
}

/** An address that a person has asked for and not proven yet; one a person. */
interface AddressChangeRow {
  user_id: string
  id: string
  email: string
  /** Keyed hash of the token of its link; null until that is mailed. */
  token_hash: string | null
  expires_at: string
  created_at: string
}

/** A key of WebAuthn, which a person signs in with. */
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
