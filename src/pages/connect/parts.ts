import type { Connect } from '../../access/oauth/connect.ts'
import type { People } from '../../access/people/people.ts'
import type { PageParts } from '../parts/parts.ts'

export interface ConnectPageParts extends PageParts {
  connect: Connect
  people: Pick<People, 'personOf' | 'accountsOf'>
}
