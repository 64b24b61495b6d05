import type { JobCaller } from '../contract/declarations/caller.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** Accounts that one round looks after. */
const MOST = 500

/**
 * Has `grant` grant this month's credits to accounts that have none yet: those that no plan exists for, and those whose plan was lost.
 * The clocks of test accounts are their own, so those go on by their plans alone once they have one.
 */
export async function grantCredits(
  database: Scope<Tables>,
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
