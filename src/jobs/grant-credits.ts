import type { JobCaller } from '../contract/declarations/caller.ts'
import type { ShopScope } from '../resources/tables.ts'

const MOST = 500

/** Grants this month's credits where the scheduled grant was lost. Test accounts have clocks of their own and get only a first grant. */
export async function grantCredits(
  database: ShopScope,
  grant: (accountId: string) => Promise<unknown>,
  month = new Date().toISOString().slice(0, 7),
): Promise<void> {
  const due = await database.read
    .selectFrom('accounts')
    .select('id')
    .where(({ eb, or, and }) =>
      or([eb('credits_month', 'is', null), and([eb('test', '=', 0 as never), eb('credits_month', '<', month)])]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account_deletions').select('id').whereRef('account_deletions.id', '=', 'accounts.id'))),
    )
    .orderBy('id')
    .limit(MOST)
    .execute()
  for (const { id } of due) await grant(id)
}

export function granter(accountId: string): JobCaller {
  return { kind: 'job', accountId, jobId: 'monthly_credits' }
}
