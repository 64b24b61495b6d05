import { ROLES } from '../../../contract/declarations/caller.ts'
import { oneOf } from '../../../contract/declarations/kinds.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { membersOf } from './find.ts'
import { Member, ROLE_MEANING } from './member.ts'
import { changeRole, removeMember } from './write.ts'

export const members = resource(Member, {
  dashboard: [
    customList({
      id: 'list_members',
      method: 'GET',
      path: '/members',
      summary: 'List the members of the account',
      answers: Member,
      rule: async (context) => ({ rows: await membersOf(context), hasMore: false }),
    }),
    custom({
      id: 'update_member',
      method: 'PATCH',
      path: '/members/{id}',
      summary: 'Change a member’s role',
      description:
        'You can only give a role that your own includes, to somebody whose role yours includes. The account always keeps an owner.',
      answers: Member,
      callers: ['session'],
      body: { role: oneOf(ROLES, ROLE_MEANING).required() },
      rule: (context, { path, input }) => changeRole(context, path.id, input.role!),
    }),
    custom({
      id: 'remove_member',
      method: 'DELETE',
      path: '/members/{id}',
      summary: 'Remove a member from the account, or leave it',
      description: 'The API tokens and invitations that the person has made here end. The last owner cannot leave.',
      answers: Member,
      callers: ['session'],
      rule: (context, { path }) => removeMember(context, path.id),
    }),
  ],
})
