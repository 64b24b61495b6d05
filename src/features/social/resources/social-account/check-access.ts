import { ApiError } from '../../../../contract/declarations/errors.ts'
import { cut, laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow, requireRow } from '../../../../records/records.ts'
import type { Connection, Credentials, Profile, Snapshot } from '../../providers/provider.ts'
import { ask, MOST_ATTEMPTS, type Outcome } from '../asking.ts'
import { accountNamed, plainUsername, sealed, usernameKey } from './credentials.ts'
import { bookSnapshot, REFRESH_MS, type Reading, readingOf, refreshAccount, requestOf } from './snapshot.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** The event types that a person can cause at the connect_url. The job that checks the access emits the others. */
export const ACCESS_EVENTS = ['social_account.updated'] as const

const MAX_WORDS = 500
const NOT_ALLOWED = 'Access was not allowed.'

/** Stores the credentials of a person who allowed access. The response waits for the job that checks them with the platform. */
export async function offerAccess(context: Context, id: string, credentials: Credentials): Promise<void> {
  const account = await requireConnecting(context, id)
  await changeRow(context, SocialAccount, account, {
    offered_credentials: sealed(context.services.vault, credentials),
  })
  await context.enqueue(checkAccess, { account: id }, { awaited: true })
}

/** Records that a person or the network denied access. Another person can still allow access. */
export async function declineAccess(context: Context, id: string, words = NOT_ALLOWED): Promise<void> {
  const account = await requireConnecting(context, id)
  await context.remember(SocialAccount, [account])
  const declined = await changeRow(context, SocialAccount, account, { error_message: cut(words, MAX_WORDS) })
  context.emit(SocialAccount, 'updated', declined)
}

async function requireConnecting(context: Context, id: string): Promise<SocialAccountRow> {
  const account = await requireRow(context, SocialAccount, id)
  if (account.connecting) return account
  throw new ApiError('invalid_state', 'No access is requested for this account now. Reconnect it first.')
}

interface CheckedAccess {
  connection: Connection
  /** The data of the account; null when the platform did not provide it right after the connection. */
  snapshot: Snapshot | null
  reading: Reading
}

/** Checks the credentials offered for an account with the platform, and reads the account's figures. */
export const checkAccess = job<{ account: string }>('social_account.check_access', {
  emits: ['social_account.connected', 'social_account.updated', 'social_comment.created', 'social_comment.updated'],
  attempts: MOST_ATTEMPTS,
  async work(job, { account: id }) {
    const reading = await job.transaction(async (context) => {
      const account = await findRow(context, SocialAccount, id)
      return account && account.offered_credentials !== null ? readingOf(context, account) : null
    })
    if (!reading) return
    const outcome = await ask(job, id, () => accessOf(job, reading))
    await job.finish((context) => settle(context, id, outcome))
  },
})

async function accessOf(job: JobContext, reading: Reading): Promise<CheckedAccess> {
  const { services, signal } = job
  const provider = services.social.named(reading.provider)
  const connection = await provider.connect({ login: reading.login, signal })
  const { username } = connection.profile
  const login = { ...reading.login, username, credentials: connection.credentials }
  const known = { ...reading, login }
  // The account is connected even if its figures are not available yet.
  const snapshot = await provider.sync({ ...requestOf(known), signal }).catch(() => null)
  return { connection, snapshot, reading: known }
}

async function settle(context: Context, id: string, outcome: Outcome<CheckedAccess>): Promise<void> {
  const account = await findRow(context, SocialAccount, id)
  if (!account) return
  await context.remember(SocialAccount, [account])
  if ('refused' in outcome) return refuse(context, account, outcome.refused)
  const { profile } = outcome.answer.connection
  const username = plainUsername(profile.username)
  const problem = await whyNotThisOne(context, account, profile)
  if (problem !== null) return refuse(context, account, problem)
  await accept(context, account, outcome.answer, username)
}

/** Records a refusal. A connected account keeps its present access, and a person can try again at the connect_url. */
async function refuse(context: Context, account: SocialAccountRow, error_message: string): Promise<void> {
  const waiting = account.connecting ? 'pending' : 'error'
  const status = account.status === 'connected' ? 'connected' : waiting
  const refused = await changeRow(context, SocialAccount, account, {
    ...{ status, error_message, offered_credentials: null },
  })
  context.emit(SocialAccount, 'updated', refused)
}

async function whyNotThisOne(
  context: Context,
  account: SocialAccountRow,
  { username: given, otherUsername = given }: Profile,
): Promise<string | null> {
  const username = plainUsername(given)
  const keys = [username, plainUsername(otherUsername)].map(usernameKey)
  if (account.username_key !== null && !keys.includes(account.username_key))
    return `Access was granted for ${username} instead of ${account.username}.`
  const other = await accountNamed(context, account.platform, username, account.id)
  return other === null ? null : `${username} is already connected, as ${other}.`
}

async function accept(
  context: Context,
  account: SocialAccountRow,
  access: CheckedAccess,
  username: string,
): Promise<void> {
  const { profile, credentials } = access.connection
  const runAt = laterBy(context.now, REFRESH_MS)
  const connected = await changeRow(context, SocialAccount, account, {
    ...{ status: 'connected', error_message: null, connecting: false, offered_credentials: null },
    ...{ username, username_key: usernameKey(username), display_name: profile.displayName },
    ...{ profile_url: profile.profileUrl, avatar_url: profile.avatarUrl },
    sealed_credentials: sealed(context.services.vault, credentials),
    ...{ renew_at: access.connection.renewAt ?? null, renewing_until: null },
    limits: access.connection.limits ?? null,
    refresh_job: account.refresh_job ?? (await context.enqueue(refreshAccount, { account: account.id }, { runAt })),
  })
  const current = access.snapshot ? await bookSnapshot(context, connected, access.reading, access.snapshot) : connected
  context.emit(SocialAccount, 'connected', current)
}
