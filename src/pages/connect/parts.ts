import type { Place } from '../../access/accounts-of.ts'
import type { Connect } from '../../access/oauth/connect.ts'
import type { HeaderOf } from '../../pipeline/body-reader.ts'
import type { PageParts } from '../parts/parts.ts'

/** Somebody who is signed in. */
export interface Person {
  sessionId: string
  userId: string
  name: string
  email: string
}

/** What the pages and endpoints of connecting are made with. */
export interface ConnectPageParts extends PageParts {
  connect: Connect
  people: { personOf(header: HeaderOf): Promise<Person | null> }
  accountsOf(userId: string): Promise<Place[]>
}
