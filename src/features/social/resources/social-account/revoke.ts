import { decode } from '../../../../records/columns.ts'
import type { Context, OutsideContext } from '../../../../records/context.ts'
import { job } from '../../../../records/job.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { PlatformRefusedError } from '../../providers/provider.ts'
import { loginOf } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** The time limit for the revocations, because a person waits for them. */
const WITHIN_MS = 5_000
const MOST_ACCOUNTS = 100

interface RevokePayload extends Pick<SocialAccountRow, 'id' | 'platform' | 'username'> {
  provider: string
  /** The encrypted credentials. The job contains them, because the account's row is deleted. */
  sealed: string
}

/** Revokes the access to a disconnected account at its network. If the network refuses, the access was already revoked. */
export const revokeAccess = job<RevokePayload>('social_account.revoke', {
  async work(job, { provider: name, sealed, ...ended }) {
    const known = { ...ended, offered_credentials: null, sealed_credentials: sealed }
    const login = await job.read(async (context) => loginOf(context, known))
    const { services, signal } = job
    try {
      await services.social.named(name).revoke?.({ login, signal })
    } catch (error) {
      if (!(error instanceof PlatformRefusedError)) throw error
    }
  },
})

/** Enqueues the revocation of an account's access, if its network supports that. */
export async function endAccess(context: Context, account: SocialAccountRow): Promise<void> {
  const { id, platform, username, provider, sealed_credentials: sealed } = account
  if (sealed === null || !context.services.social.named(provider).revoke) return
  await context.enqueue(revokeAccess, { id, platform, username, provider, sealed })
}

/** Revokes the access to all social accounts at their networks before the shop's account is deleted. It never rejects. */
export async function revokeAll(context: OutsideContext): Promise<void> {
  const rows = await rowsOf(context, 'social_accounts')
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
