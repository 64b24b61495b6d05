import type { Role } from '../../../contract/caller.ts'
import type { BodyReader, HeaderOf } from '../../../pipeline/body-reader.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import type { Vault } from '../../../records/services.ts'

/** Somebody who is signed in. */
export interface SignedIn {
  sessionId: string
  userId: string
  name: string
  email: string
}

/** An account that a person belongs to. */
export interface Membership {
  accountId: string
  subdomain: string
  name: string
  role: Role
  test: boolean
}

/** Who is signed in, and where they may go. */
export interface People {
  /** Whose session the cookie of a request names, or null. */
  personOf(header: HeaderOf): Promise<SignedIn | null>
  /** The accounts of a user, by name. */
  accountsOf(userId: string): Promise<Membership[]>
}

/** What the dashboard is made with. */
export interface DashboardParts {
  pipeline: Pipeline
  people: People
  bodies: BodyReader
  vault: Pick<Vault, 'derive' | 'matches'>
  /** Without a slash at its end. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}
