import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { Pipeline } from '../../pipeline/run.ts'
import type { Services } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'

export interface FileParts {
  pipeline: Pipeline
  services: Services
  database: Database<Tables>
}

/** A request for the bytes of a file, or with them. */
export interface FileRequest {
  id: string
  /** What the address holds besides the id: it says that its holder may do this. */
  capability: string
  request: Request
  /** A header by its lower-case name. */
  header: HeaderOf
}
