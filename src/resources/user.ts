import { z } from 'zod'
import { missingResource } from '../contract/errors.ts'
import { email, structure, text } from '../contract/kinds.ts'
import { noun } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { resource } from '../records/resource.ts'
import { verbs } from '../records/verbs.ts'

const roles = z.array(z.enum(['owner', 'admin', 'member']))

export const User = noun('user', {
  prefix: 'user',
  tag: 'Me',
  description: 'A person who works in the account.',
  immutable: true,
  fields: {
    name: text('The person’s name', { max: 100, example: 'Ada Lovelace' }).readOnly(),
    email: email('The address the person signs in with').readOnly(),
    roles: structure('array', roles, 'What the person may do in this account: owner, admin or member', [
      'owner',
    ]).derived(),
  },
})

/** People and their places in accounts. A user may belong to several accounts, so the row carries none. */
export interface UserTables {
  users: { id: string; name: string; email: string; created_at: string }
  memberships: { account_id: string; user_id: string; role: string; created_at: string }
}

declare module '../records/tables.ts' {
  interface Tables extends UserTables {}
}

const { retrieve } = verbs(User)

export const me = resource(User, {
  operations: [
    retrieve({ id: 'retrieve_me', summary: 'Show the user the token acts for', path: '/me', find: currentUser }),
  ],
  derive: (rows, context) => rows.map(() => ({ roles: [context.caller.role] })),
})

async function currentUser({ db, caller }: Context) {
  const user = await db.selectFrom('users').selectAll().where('id', '=', caller.userId).executeTakeFirst()
  if (!user) throw missingResource('user')
  return user
}
