import type { Caller } from '../../contract/declarations/caller.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'

/** What the pages of checkouts are made with. */
export interface PageParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
  bodies: BodyReader
  /** Without a slash at its end. */
  publicUrl: string
  /** Bounds what clients without a token may do, over all replicas. */
  takeTurn: TakeTurn
  /** Forms that one client may send a minute. */
  postsPerMinute: number
  log: { error(details: object, message: string): void }
}

/** One request for a page, as it came. */
export interface PageRequest {
  request: Request
  /** The client's address. */
  address: string
  /** A header by its lower-case name. */
  header: HeaderOf
  requestId: string
  /** The address of the shop's own domain that it came to, without a slash at the end; null at the service's own address. */
  ownDomain: string | null
  /** Says for whom it is answered, so that the line of the log names the account. */
  noteCaller(caller: Caller): void
  /** Lets its body take so many milliseconds, where that is longer than bodies usually may. */
  allowLong(ms: number): void
}
