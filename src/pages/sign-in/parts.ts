import type { People } from '../../access/people/people.ts'
import type { PageParts } from '../parts/parts.ts'

/** What the pages of signing in are made with. */
export interface SignInPageParts extends PageParts {
  people: People
  /** Times a minute that one network, one e-mail address, and one browser that is known for it, may try to sign in. */
  signInsPerMinute: number
}
