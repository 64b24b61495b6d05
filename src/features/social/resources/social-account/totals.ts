import { keysOf } from '../../../../contract/values/keys.ts'
import type { Context } from '../../../../records/context.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { PostTotals } from '../../providers/provider.ts'
import { noteDay } from './figures.ts'

type Counts = PostTotals['figures']

const NONE: Counts = { impressions: 0, reach: 0, likes: 0, comments: 0, shares: 0, clicks: 0, saves: 0 }

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
export async function storeTotals(
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
  const added = counted.map(({ id, figures }) => ({ id, figures: increases(figures, before.get(id) ?? NONE) }))
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
    .select(({ fn }) => keysOf(NONE).map((name) => fn.sum(name).as(name)))
    .where('social_account', '=', account)
    .where('social_post', 'in', ids)
    .where('date', '<', date)
    .groupBy('social_post')
    .execute()
  return new Map(rows.map((row) => [row.social_post, eachOf((name) => Number(row[name]))]))
}

function increases(counts: Counts, before: Counts): Counts {
  return eachOf((name) => Math.max(0, counts[name] - before[name]))
}

function sumOf(all: readonly Counts[]): Counts {
  return eachOf((name) => all.reduce((sum, one) => sum + one[name], 0))
}

function eachOf(value: (name: keyof Counts) => number): Counts {
  return {
    ...{ impressions: value('impressions'), reach: value('reach'), likes: value('likes') },
    ...{ comments: value('comments'), shares: value('shares') },
    ...{ clicks: value('clicks'), saves: value('saves') },
  }
}
