import { DAY_MS, laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { dueJob, type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import { fullSentence } from '../../../../records/room.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import {
  COUNTS,
  type Counts,
  countsOf,
  type Login,
  NO_COUNTS,
  type PostTotals,
  type Profile,
  type Snapshot,
  type SyncRequest,
  sumOf,
} from '../../providers/provider.ts'
import { ask, MOST_ATTEMPTS, type Outcome, unanswered } from '../asking.ts'
import { importComments } from '../social-comment/write.ts'
import { platformOf } from '../social-platform/platforms.ts'
import { currentLogin, noteRefusal } from './access.ts'
import { accountNamed, loginOf, plainUsername, usernameKey } from './credentials.ts'
import { noteDay, storeFigures } from './figures.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

/** The number of days before an account's first sync for which its figures are read. */
const FIRST_DAYS = 90
/** The number of past days that each sync reads again, because platforms correct their figures for some time. */
const DAYS_AGAIN = 3
/** The number of newest posts whose figures are read. Older posts are rarely viewed. */
const MOST_POSTS = 200

export interface Reading {
  provider: string
  login: Login
  /** The published posts of the account, by their ids on the platform. */
  posts: Map<string, { id: string; publishedAt: string }>
  from: string
  now: string
}

export async function readingOf(context: Context, account: SocialAccountRow): Promise<Reading> {
  const { now } = context
  const { id, provider, last_synced_at } = account
  const [known, days] = last_synced_at === null ? [now, FIRST_DAYS] : [last_synced_at, DAYS_AGAIN]
  const from = laterBy(known, -days * DAY_MS).slice(0, 10)
  return { provider, login: loginOf(context, account), now, from, posts: await publishedOn(context, id) }
}

export function requestOf({ login, posts, from, now }: Reading): Omit<SyncRequest, 'signal'> {
  const known = [...posts].map(([id, { publishedAt }]) => ({ id, publishedAt }))
  return { login, from, to: now.slice(0, 10), now, posts: known }
}

async function publishedOn(context: Context, account: string): Promise<Reading['posts']> {
  const published = await rowsOf(context, 'social_deliveries')
    .select(['social_post', 'platform_post_id', 'published_at'])
    .where('social_account', '=', account)
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_POSTS)
    .execute()
  return new Map(
    published.map((one) => [one.platform_post_id!, { id: one.social_post, publishedAt: one.published_at! }]),
  )
}

/** Stores the data that a platform returned for an account. The caller must emit the event, because more may have changed. */
export async function bookSnapshot(
  context: Context,
  account: SocialAccountRow,
  { posts, from, now }: Reading,
  { profile, limits, comments, days, totals }: Snapshot,
): Promise<SocialAccountRow> {
  const { supports } = platformOf(account.platform)
  const postOf = (id: string | null) => (id === null ? null : (posts.get(id)?.id ?? null))
  const { followersCount: followers } = profile
  const date = now.slice(0, 10)
  if (totals) await storeTotals(context, account.id, { date, totals, posts, followers })
  else {
    if (supports.analytics) await storeFigures(context, account.id, { from, days, posts })
    const today = supports.analytics ? days.find((one) => one.post === null && one.date === date) : undefined
    const isSaid = today !== undefined && !today.followersUnknown
    if (followers !== null && !isSaid)
      await noteDay(context, account.id, { date, followers, gainKnown: today !== undefined })
  }
  if (supports.comments) await importComments(context, account, { comments, postOf })
  return changeRow(context, SocialAccount, account, {
    ...{ display_name: profile.displayName, profile_url: profile.profileUrl, avatar_url: profile.avatarUrl },
    ...{ followers_count: followers, last_synced_at: now, error_message: null },
    ...(limits !== undefined && { limits }),
    ...(await renamed(context, account, profile)),
  })
}

/**
 * Returns the columns of the account's username, which people can change on the platform. If another account of the shop already has the
 * new name, the old name is kept.
 */
async function renamed(
  context: Context,
  { id, platform, username_key }: SocialAccountRow,
  { username: given }: Profile,
) {
  const username = plainUsername(given)
  if (username_key === usernameKey(username)) return {}
  const isTaken = (await accountNamed(context, platform, username, id)) !== null
  return isTaken ? {} : { username, username_key: usernameKey(username) }
}

interface TotalsReading {
  date: string
  totals: readonly PostTotals[]
  /** The posts whose figures were requested, by their ids on the platform; `id` is the id in this service. */
  posts: ReadonlyMap<string, { id: string }>
  /** The number of followers; null when unknown. */
  followers: number | null
}

type ByPost = Map<string, Counts>

/** The columns for followers in rows of posts, because only accounts have followers. */
const NO_FOLLOWERS = { followers: 0, followers_known: 1, followers_gained: 0 }

/**
 * Stores total counts of posts as daily figures: the increase since the last reading counts on the day of the reading. If a count has
 * fallen, nothing is added until the count exceeds its earlier value.
 */
async function storeTotals(
  context: Context,
  account: string,
  { date, totals, posts, followers }: TotalsReading,
): Promise<void> {
  const counted = totals.flatMap(({ post, figures }) => {
    const known = posts.get(post)
    return known ? [{ id: known.id, figures }] : []
  })
  const ids = counted.map(({ id }) => id)
  const before: ByPost = ids.length === 0 ? new Map() : await countsBefore(context, account, { date, ids })
  const added = counted.map(({ id, figures }) => ({ id, figures: increases(figures, before.get(id) ?? NO_COUNTS) }))
  await noteDay(context, account, { date, followers, figures: sumOf(added.map(({ figures }) => figures)) })
  if (ids.length === 0) return
  await deleteRowsOf(context, 'social_figures')
    .where('social_account', '=', account)
    .where('social_post', 'in', ids)
    .where('date', '=', date)
    .execute()
  const ofPost = { account_id: context.accountId, social_account: account, date, ...NO_FOLLOWERS }
  const rows = added.map(({ id, figures }) => ({ ...ofPost, social_post: id, ...figures }))
  await context.db.insertInto('social_figures').values(rows).execute()
}

async function countsBefore(
  context: Context,
  account: string,
  { date, ids }: { date: string; ids: string[] },
): Promise<ByPost> {
  const rows = await rowsOf(context, 'social_figures')
    .select('social_post')
    .select(({ fn }) => COUNTS.map((name) => fn.sum(name).as(name)))
    .where('social_account', '=', account)
    .where('social_post', 'in', ids)
    .where('date', '<', date)
    .groupBy('social_post')
    .execute()
  return new Map(rows.map((row) => [row.social_post, countsOf((name) => Number(row[name]))]))
}

function increases(counts: Partial<Counts>, before: Counts): Counts {
  return countsOf((name) => Math.max(0, (counts[name] ?? 0) - before[name]))
}

export const REFRESH_MS = 24 * 60 * 60 * 1000

/** Reads the figures of an account once a day, except on days on which the account is not connected. */
export const refreshAccount = dueJob<{ account: string }>('social_account.refresh', {
  async work(context, { account: id }) {
    const account = await findRow(context, SocialAccount, id)
    if (!account) return
    if (account.status === 'connected') await context.enqueue(syncAccount, { account: id })
    const refresh_job = await context.enqueue(
      refreshAccount,
      { account: id },
      { runAt: laterBy(context.now, REFRESH_MS) },
    )
    await changeRow(context, SocialAccount, account, { refresh_job })
  },
})

/** Reads the profile, comments and figures of an account in a job after the commit. The response waits for the job. */
export async function startSync(context: Context, account: SocialAccountRow): Promise<SocialAccountRow> {
  await context.enqueue(syncAccount, { account: account.id }, { awaited: true })
  return account
}

export const syncAccount = job<{ account: string }>('social_account.sync', {
  emits: ['social_account.updated', 'social_account.expired', 'social_comment.created', 'social_comment.updated'],
  attempts: MOST_ATTEMPTS,
  async work(job, { account: id }) {
    const reading = await job.transaction(async (context) => {
      const account = await findRow(context, SocialAccount, id)
      return account?.status === 'connected' ? readingOf(context, account) : null
    })
    if (!reading) return
    const { storage } = job.services
    const outcome = (await storage.hasRoom(job.accountId, 'outsider'))
      ? await ask(job, id, () => snapshotOf(job, reading))
      : unanswered(fullSentence(storage, 'outsider'))
    await job.finish((context) => settle(context, id, reading, outcome))
  },
})

async function snapshotOf(job: JobContext, reading: Reading): Promise<Snapshot> {
  const provider = job.services.social.named(reading.provider)
  const login = await currentLogin(job, reading.login, provider)
  return provider.sync({ ...requestOf({ ...reading, login }), signal: job.signal })
}

async function settle(context: Context, id: string, reading: Reading, outcome: Outcome<Snapshot>): Promise<void> {
  if ('refused' in outcome) return noteRefusal(context, id, outcome)
  const account = await findRow(context, SocialAccount, id)
  if (account?.status !== 'connected') return
  await context.remember(SocialAccount, [account])
  context.emit(SocialAccount, 'updated', await bookSnapshot(context, account, reading, outcome.answer))
}
