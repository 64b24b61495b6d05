import type { Connect } from '../../access/oauth/connect.ts'
import type { People } from '../../access/people/people.ts'
import type { PageParts } from '../parts/parts.ts'

/** What the pages and endpoints of connecting are made with. */
export interface ConnectPageParts extends PageParts {
  connect: Connect
  people: Pick<People, 'personOf' | 'accountsOf'>
}
