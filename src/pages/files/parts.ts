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

export interface FileRequest {
  id: string
  /** The secret in the URL, which authorizes the request. */
  capability: string
  request: Request
  header: HeaderOf
}
