import type { Role } from '../contract/caller.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** A place that somebody has in an account. */
export interface Place {
  accountId: string
  name: string
  subdomain: string
  role: Role
}

/** The accounts that a person belongs to, oldest first. */
export async function accountsOf({ read }: Pick<Scope<Tables>, 'read'>, userId: string): Promise<Place[]> {
  const places = await read
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .leftJoin('account_deletions', 'account_deletions.id', 'memberships.account_id')
    .select(['accounts.id as accountId', 'accounts.name', 'accounts.subdomain', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .where('account_deletions.id', 'is', null)
    .orderBy('accounts.id')
    .execute()
  return places.map((place) => ({ ...place, role: place.role as Role }))
}
