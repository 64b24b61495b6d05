import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { mailAddressLink, mailAddressNews } from './address_link.ts'
import { currentUser } from './current.ts'
import { mailPasswordLink } from './password_link.ts'
import { deriveRoles } from './show.ts'
import { User } from './user.ts'

const { retrieve } = verbs(User)

export const me = resource(User, {
  derive: deriveRoles,
  jobs: [mailPasswordLink, mailAddressLink, mailAddressNews],
  operations: [
    retrieve({ id: 'retrieve_me', summary: 'Show the user the token acts for', path: '/me', find: currentUser }),
  ],
})
