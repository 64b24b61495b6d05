import type { Role } from '../../contract/declarations/caller.ts'
import type { ShopScope } from '../../resources/tables.ts'

export interface AccountOfPerson {
  accountId: string
  subdomain: string
  name: string
  role: Role
  test: boolean
}

/** Returns the accounts of a person, oldest first, without accounts that are being deleted. */
export async function accountsOf({ read }: Pick<ShopScope, 'read'>, userId: string): Promise<AccountOfPerson[]> {
  const rows = await read
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['accounts.id as accountId', 'accounts.subdomain', 'accounts.name', 'accounts.test', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.account_id')
    .execute()
  return rows.map((row) => ({ ...row, test: row.test === 1 }))
}
