import { decode } from '../../../records/columns.ts'
import type { OutsideContext } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { loginOf } from './login.ts'
import { SocialAccount, type SocialAccountRow } from './social_account.ts'

/** A person waits for it; what a network has not answered by then is left to it. */
const WITHIN_MS = 5_000
const MOST_ACCOUNTS = 100

/** Ends the access to every social account of an account at its network, before all that is known of them is deleted. Rejects for nothing. */
export async function revokeAll(context: OutsideContext, accountId: string): Promise<void> {
  const rows = await rowsOf({ db: context.db, accountId }, 'social_accounts')
    .selectAll()
    .where('sealed_credentials', 'is not', null)
    .orderBy('id')
    .limit(MOST_ACCOUNTS)
    .execute()
  const accounts = rows.map((raw) => decode<SocialAccountRow>(SocialAccount, raw))
  const signal = AbortSignal.timeout(WITHIN_MS)
  const { social } = context.services
  await Promise.allSettled(
    accounts.map(async (account) => {
      const login = loginOf(context, { ...account, offered_credentials: null })
      await social.named(account.provider).revoke?.({ login, signal })
    }),
  )
}
