import { DAY_MS, laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import type { Login, Profile, Snapshot, SyncRequest } from '../../providers/provider.ts'
import { importComments } from '../social-comment/import.ts'
import { platformOf } from '../social-platform/platforms.ts'
import { loginOf } from './credentials.ts'
import { noteDay, storeFigures } from './figures.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'
import { storeTotals } from './totals.ts'
import { accountNamed, plainUsername, usernameKey } from './username.ts'

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
