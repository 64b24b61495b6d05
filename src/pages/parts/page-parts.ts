import type { Context, Env } from 'hono'
import type { People } from '../../access/people/people.ts'
import type { Caller } from '../../contract/declarations/caller.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../pipeline/rate-limit.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'

export interface PageParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
  bodies: BodyReader
  /** The URL has no slash at the end. */
  publicUrl: string
  /** Rate limits for clients without a token, shared by all replicas. */
  takeTurn: TakeTurn
  postsPerMinute: number
  log: { error(details: object, message: string): void }
}

/** A page, or several that belong together, with the parts of the service that they need. */
export class PageOf<Parts> {
  protected readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }
}

export interface PersonPageParts extends PageParts {
  people: People
}

export interface PageRequest {
  request: Request
  address: string
  header: HeaderOf
  requestId: string
  /** The origin of the shop's own domain, if the request came to it; null on the service's own host. */
  ownDomain: string | null
  noteCaller(caller: Caller): void
  allowLong(ms: number): void
}

/** Returns the data of a request that pages need. */
export type RequestOf<E extends Env> = (context: Context<E>) => PageRequest
