import { isUser } from '../../../contract/declarations/caller.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { commonRoles, rolesOf } from '../../../contract/declarations/role-rights.ts'
import type { Context } from '../../../records/context.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { mailAddressLink, mailAddressNews } from './address-link.ts'
import { currentUser } from './current.ts'
import { mailPasswordLink } from './password-link.ts'
import { User } from './user.ts'

const { retrieve } = verbs(User)

export const me = resource(User, {
  derive: deriveRoles,
  jobs: [mailPasswordLink, mailAddressLink, mailAddressNews],
  operations: [
    retrieve({ id: 'retrieve_me', summary: 'Show the user the token acts for', path: '/me', find: currentUser }),
  ],
})

/** Callers can only read their own user, so the roles are those of the caller. */
function deriveRoles(rows: Row<typeof User>[], { caller }: Context): Derived[] {
  return rows.map(() => ({ roles: isUser(caller) ? commonRoles(rolesOf(caller)) : [] }))
}
