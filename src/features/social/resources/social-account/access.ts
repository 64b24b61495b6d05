import { laterBy } from '../../../../contract/values/values.ts'
import { only } from '../../../../errors.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context, OutsideContext } from '../../../../records/context.ts'
import { AskAgainError, type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { type Access, type Login, PlatformRefusedError, type SocialProvider } from '../../providers/provider.ts'
import { NotRenewedError, type Refused } from '../asking.ts'
import { credentialsOf, loginOf, sealed } from './credentials.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** The time during which only one job may renew the access of an account. The request to the platform times out earlier. */
const LEASE_MS = 60_000
const TIMEOUT_MS = 40_000
/** The pause before a job retries because another job is renewing the access. */
const LOOK_AGAIN_MS = 2_000

interface Lease {
  login: Login
  /** The encrypted credentials when the lease began, so that a later change can be detected. */
  credentials: string
  until: string
}

/**
 * Returns a login whose access does not expire soon. Access that expires soon is renewed first. Only one job of all replicas does so at a
 * time, and the new access is stored before its first use, because many networks accept each refresh token only once. Rejects with
 * NotRenewedError when the network refuses, and with AskAgainError while another job renews the access.
 */
export async function currentLogin(job: JobContext, login: Login, provider: SocialProvider): Promise<Login> {
  const { renew } = provider
  if (!renew) return login
  const found = await job.transaction((context) => loginOrLease(context, login, provider))
  if (!('lease' in found)) return found.login
  const access = await renewAccess(job, found.lease, renew.bind(provider))
  return job.transaction((context) => storeAccess(context, found.lease, access))
}

async function loginOrLease(
  context: Context,
  known: Login,
  { needsRenewal }: SocialProvider,
): Promise<{ login: Login } | { lease: Lease }> {
  const account = await findRow(context, SocialAccount, known.id)
  if (!account || account.sealed_credentials === null) return { login: known }
  const credentials = credentialsOf(context.services.vault, { ...account, offered_credentials: null })
  const login = { ...known, credentials }
  const isDue = account.renew_at !== null && account.renew_at <= context.realNow
  if (!isDue && !needsRenewal?.(login.credentials)) return { login }
  if (account.renewing_until !== null && account.renewing_until > context.realNow)
    throw new AskAgainError('Another job is renewing the access to the account.', Date.now() + LOOK_AGAIN_MS)
  const until = laterBy(context.realNow, LEASE_MS)
  await changeRow(context, SocialAccount, account, { renewing_until: until })
  return { lease: { login, credentials: account.sealed_credentials, until } }
}

async function renewAccess(
  job: JobContext,
  { login, until }: Lease,
  renew: NonNullable<SocialProvider['renew']>,
): Promise<Access> {
  const signal = AbortSignal.any([job.signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    return await renew({ login, signal })
  } catch (error) {
    await job.transaction((context) => endLease(context, login.id, until))
    throw error instanceof PlatformRefusedError ? new NotRenewedError(error.message) : error
  }
}

/** Stores the renewed access, unless the account's credentials have been replaced in the meantime. */
async function storeAccess(context: Context, { login, credentials, until }: Lease, access: Access): Promise<Login> {
  const account = await findRow(context, SocialAccount, login.id)
  if (!account) return { ...login, credentials: access.credentials }
  if (account.sealed_credentials !== credentials) return loginOf(context, account)
  await changeRow(context, SocialAccount, account, {
    sealed_credentials: sealed(context.services.vault, access.credentials),
    renew_at: access.renewAt ?? null,
    renewing_until: account.renewing_until === until ? null : account.renewing_until,
  })
  return { ...login, credentials: access.credentials }
}

async function endLease(context: Context, id: string, until: string): Promise<void> {
  const account = await findRow(context, SocialAccount, id)
  if (account?.renewing_until === until) await changeRow(context, SocialAccount, account, { renewing_until: null })
}

async function expireAccount(context: Context, account: SocialAccountRow, error_message: string): Promise<void> {
  const expired = await changeRow(context, SocialAccount, account, { status: 'expired', error_message })
  context.emit(SocialAccount, 'expired', expired)
}

/** Records a platform's refusal on an account. If the platform no longer accepts the access, the account expires. */
export async function noteRefusal(context: Context, id: string, { refused, expired }: Refused): Promise<void> {
  const account = await findRow(context, SocialAccount, id)
  if (account?.status !== 'connected') return
  await context.remember(SocialAccount, [account])
  if (expired) return expireAccount(context, account, refused)
  const noted = await changeRow(context, SocialAccount, account, { error_message: refused })
  context.emit(SocialAccount, 'updated', noted)
}

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
    const revoked = services.social.named(name).revoke?.({ login, signal })
    await revoked?.catch(only(PlatformRefusedError, () => {}))
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
