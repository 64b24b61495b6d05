import type { People } from '../../../access/people/people.ts'
import type { Database } from '../../../database/database.ts'
import type { TakeTurn } from '../../../pipeline/rate-limit.ts'
import type { Services } from '../../../records/services.ts'
import type { Tables } from '../../../resources/tables.ts'

export interface SiteParts {
  services: Services
  database: Database<Tables>
  people: People
  takeTurn: TakeTurn
  /** The URL has no slash at the end. */
  publicUrl: string
  /** Other hosts of the service, with or without a port. */
  ownHosts: readonly string[]
  log: { error(details: object, message: string): void }
}
