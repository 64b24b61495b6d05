import type { People } from '../../access/people/people.ts'
import type { PageParts } from '../parts/parts.ts'

/** What the pages of signing in are made with. */
export interface SignInPageParts extends PageParts {
  people: People
  /** Times that one network, and one e-mail address, may try to sign in a minute. */
  signInsPerMinute: number
}
