import type { SessionCaller } from '../../../contract/caller.ts'
import type { PageRequest } from '../../parts/parts.ts'
import type { Catalogue } from './catalogue.ts'
import type { DashboardParts, Membership, SignedIn } from './parts.ts'
import { type ShownAccount, shown, type View, type Visit } from './visit.ts'

const PURPOSE = 'dashboard_form'

/** What is the same for all visits. */
interface Dashboard {
  parts: DashboardParts
  catalogue: Catalogue<View>
  pages: ReadonlySet<string>
}

/** The account that is visited, among those of the person. */
interface Place {
  membership: Membership
  memberships: Membership[]
}

/** The visit of a person to an account of theirs. */
export async function visitOf(
  { parts, catalogue, pages }: Dashboard,
  incoming: PageRequest,
  person: SignedIn,
  { membership, memberships }: Place,
): Promise<Visit> {
  const { pathname, searchParams } = new URL(incoming.request.url)
  const { accountId, role } = membership
  const caller: SessionCaller = {
    kind: 'session',
    sessionId: person.sessionId,
    accountId,
    userId: person.userId,
    role,
  }
  incoming.noteCaller(caller)
  const ask: Visit['ask'] = (method, path, { query = {}, body, key } = {}) =>
    parts.pipeline.runUnmetered({ method, path, query, body, idempotencyKey: key ?? undefined, caller, desk: true })
  const account = await shown<ShownAccount>(ask('GET', '/account'))
  return {
    parts,
    catalogue,
    pages,
    person,
    membership,
    memberships,
    account,
    caller,
    incoming,
    path: pathname,
    query: searchParams,
    base: `/dashboard/${membership.subdomain}`,
    csrf: parts.services.vault.derive(PURPOSE, person.sessionId),
    ask,
  }
}

/** Whether a form holds what this person's forms hold. */
export function isOwnToken({ services: { vault } }: DashboardParts, { sessionId }: SignedIn, given: string): boolean {
  return vault.matches(PURPOSE, sessionId, given)
}
