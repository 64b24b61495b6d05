import type { InAccount } from '../../../../records/context.ts'
import { memoize } from '../../../../records/memoize.ts'
import type { ShopScope } from '../../../tables.ts'

export interface AccountSummary {
  id: string
  subdomain: string
  name: string
  created_at: string
  test: boolean
  /** An e-mail address; null while the account is being deleted. */
  owner: string | null
  tokens: number
  last_used_at: string | null
}

/** Returns all accounts, oldest first. */
export async function listAccounts({ read }: ShopScope): Promise<AccountSummary[]> {
  const rows = await read
    .selectFrom('accounts')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.account_id', '=', 'accounts.id').on('memberships.role', '=', 'owner'),
    )
    .leftJoin('users', 'users.id', 'memberships.user_id')
    .select(['accounts.id', 'accounts.subdomain', 'accounts.name', 'accounts.created_at', 'accounts.test'])
    .select('users.email as owner')
    .orderBy('accounts.id')
    .execute()
  const tokens = await tokensByAccount({ read })
  return rows.map((row) => ({
    ...row,
    test: row.test === 1,
    ...(tokens.get(row.id) ?? { tokens: 0, last_used_at: null }),
  }))
}

async function tokensByAccount({ read }: Pick<ShopScope, 'read'>) {
  const rows = await read
    .selectFrom('api_tokens')
    .select(({ fn }) => ['account_id', fn.countAll<number>().as('tokens'), fn.max('last_used_at').as('used')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map((row) => [row.account_id, { tokens: row.tokens, last_used_at: row.used }]))
}

export async function findAccount(database: ShopScope, idOrSubdomain: string): Promise<AccountSummary | undefined> {
  const accounts = await listAccounts(database)
  return accounts.find(({ id, subdomain }) => id === idOrSubdomain || subdomain === idOrSubdomain)
}

export async function isOnlyLiveAccount({ db, accountId }: InAccount): Promise<boolean> {
  const question = { name: 'live accounts', tables: ['accounts'] as const }
  const live = db.selectFrom('accounts').select('id').where('test', '=', 0).limit(2)
  const [first, second] = await memoize({ db }, question, () => live.execute())
  return first?.id === accountId && second === undefined
}
