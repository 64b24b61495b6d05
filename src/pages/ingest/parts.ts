import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { BodyReader } from '../../pipeline/body-reader.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'

/** What the addresses that take events are made with. */
export interface IngestParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
  bodies: BodyReader
}

/** A request with an event, as it came. */
export interface IngestRequest {
  id: string
  /** What the address holds besides the id: it says that its holder may post. */
  capability: string
  request: Request
  /** The client's address. */
  address: string
  /** A header by its lower-case name. */
  header: HeaderOf
}
