import type { People } from '../../../access/people/people.ts'
import type { BodyReader } from '../../../pipeline/body-reader.ts'
import type { TakeTurn } from '../../../pipeline/rate-limit.ts'
import type { Pipeline } from '../../../pipeline/run.ts'
import type { Services } from '../../../records/services.ts'

export type { AccountOfPerson as Membership, SignedIn } from '../../../access/people/people.ts'

interface DocumentationPage {
  path: string
  title: string
  section: string
}

export interface DashboardParts {
  pipeline: Pipeline
  people: People
  bodies: BodyReader
  /** Bounds what somebody may try, over all replicas. */
  takeTurn: TakeTurn
  services: Services
  /** Pages of the documentation by words, the best first. */
  findDocumentation(question: string): Promise<DocumentationPage[]>
  /** Without a slash at its end. */
  publicUrl: string
  log: { error(details: object, message: string): void }
}
