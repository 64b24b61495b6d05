import { isUser } from '../../../contract/declarations/caller.ts'
import { commonRoles, rolesOf } from '../../../contract/declarations/role-rights.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { mailAddressLink, mailAddressNews } from './address-link.ts'
import { currentUser } from './current.ts'
import { mailPasswordLink } from './password-link.ts'
import { User } from './user.ts'

const { retrieve } = verbs(User)

export const me = resource(User, {
  // Callers can only read their own user, so the roles are those of the caller.
  derive: (rows, { caller }) => rows.map(() => ({ roles: isUser(caller) ? commonRoles(rolesOf(caller)) : [] })),
  jobs: [mailPasswordLink, mailAddressLink, mailAddressNews],
  operations: [
    retrieve({ id: 'retrieve_me', summary: 'Show the user the token acts for', path: '/me', find: currentUser }),
  ],
})
