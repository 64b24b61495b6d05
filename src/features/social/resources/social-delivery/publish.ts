import { z } from 'zod'
import { compileForIds } from '../../../../database/compile-once.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow, findRows, insertRow, requireRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import { File, type FileRow } from '../../../../resources/content/file/file.ts'
import { measuresOf } from '../../../../resources/content/file/settle.ts'
import type { Published, PublishRequest } from '../../providers/provider.ts'
import type { SimulatedPostRow } from '../../tables.ts'
import { ask, MOST_ATTEMPTS, type Outcome, type Refused, unanswered } from '../asking.ts'
import { currentLogin, noteRefusal } from '../social-account/access.ts'
import { loginOf } from '../social-account/credentials.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import { insertOwnComment } from '../social-comment/write.ts'
import { composedFor } from '../social-post/content.ts'
import { fitsOf, type Problem } from '../social-post/limits.ts'
import { SocialPost, type SocialPostRow } from '../social-post/social-post.ts'
import { ACCOUNT_GONE, SocialDelivery, type SocialDeliveryRow } from './social-delivery.ts'

const PURPOSE = 'social progress'
const StoredProgress = z.record(z.string(), z.string())

/** The time limit of the job. Long videos are uploaded in parts, and networks take minutes to process them. */
const TIMEOUT_MS = 4 * 60 * 1000

interface ClaimedDelivery {
  provider: string
  /** The encrypted progress as it is stored. */
  progress: string | null
  request: Omit<PublishRequest, 'signal' | 'progress'>
}

/**
 * Publishes a post on one account only once: the job claims the row before its first request, and uses the same key again if a
 * response was lost.
 */
export const publishDelivery = job<{ delivery: string }>('social_post.publish_on_account', {
  emits: [
    'social_post.published',
    'social_post.partially_failed',
    'social_post.failed',
    'social_account.expired',
    'social_account.updated',
    'social_comment.created',
  ],
  attempts: MOST_ATTEMPTS,
  timeoutMs: TIMEOUT_MS,
  foresee: async (_, deliveries) => deliveries.map(() => ({ kind: 'post' })),
  async work(job, { delivery: id }) {
    const claimed = await claimMeasured(job, id)
    if (claimed === null) return
    const outcome =
      'refused' in claimed ? claimed : await ask(job, claimed.request.login.id, () => publish(job, claimed))
    const again = 'request' in claimed && claimed.request.again
    await job.finish((context) => settle(context, id, outcome, again))
  },
})

/** Claims a delivery like `claim`, but first measures the pictures and videos that were not measured. */
async function claimMeasured(job: JobContext, id: string): Promise<ClaimedDelivery | Refused | null> {
  const claimed = await job.transaction((context) => claim(context, id))
  if (claimed === null || !('unmeasured' in claimed)) return claimed
  for (const file of claimed.unmeasured) {
    const measures = await measuresOf(job, file)
    await job.transaction((context) => changeRow(context, File, file, measures))
  }
  return claimMeasured(job, id)
}

/** Claims a delivery. Returns null when the delivery must not be published any more. */
async function claim(
  context: Context,
  id: string,
): Promise<ClaimedDelivery | Refused | { unmeasured: FileRow[] } | null> {
  const delivery = await findRow(context, SocialDelivery, id)
  if (delivery?.status !== 'pending') return null
  const post = await findRow(context, SocialPost, delivery.social_post)
  if (post?.status !== 'publishing') return null
  const account = await findRow(context, SocialAccount, delivery.social_account)
  if (!account) return unanswered(ACCOUNT_GONE)
  if (account.status !== 'connected') return unanswered(`The account is ${account.status}. Reconnect it and try again.`)
  const { text, media, first_comment, language, options, complete, unmeasured } = await composedFor(
    context,
    post,
    delivery.platform,
  )
  if (!complete) return unanswered('A file of the post was deleted.')
  if (unmeasured.length > 0) return { unmeasured }
  const again = delivery.asked_at !== null
  const misfit = await misfitOf(context, post, account, again ? ['media'] : ['media', 'overrides'])
  if (misfit) return unanswered(`The post ${misfit}.`)
  if (!again) await changeRow(context, SocialDelivery, delivery, { asked_at: context.now })
  const said = { text, media, firstComment: first_comment, ...(language && { language }), ...(options && { options }) }
  const request = { login: loginOf(context, account), key: keyOf(delivery), again, target: id, ...said }
  return { provider: account.provider, progress: delivery.progress, request }
}

/** Returns the first problem with one of the fields of a post on the account's platform; undefined if there is none. */
async function misfitOf(
  context: Context,
  post: SocialPostRow,
  account: SocialAccountRow,
  fields: readonly Problem['field'][],
): Promise<string | undefined> {
  const [fit] = await fitsOf(context, { draft: post, accounts: [account], scheduled: false })
  return fit!.problems.find(({ field }) => fields.includes(field))?.message
}

/**
 * Returns the idempotency key. It changes after a refusal, which ends a round, because the platform would refuse the same key
 * again.
 */
function keyOf({ id, round }: SocialDeliveryRow): string {
  return `${id}_${round}`
}

async function publish(job: JobContext, { provider: name, progress, request }: ClaimedDelivery): Promise<Published> {
  const provider = job.services.social.named(name)
  const login = await currentLogin(job, request.login, provider)
  const kept = progressOf(job, request.target, progress)
  return provider.publish({ ...request, login, signal: job.signal, progress: kept })
}

/** Stores the first comment of a post, which was published with it, as a comment of the account. */
async function noteFirstComment(
  context: Context,
  delivery: SocialDeliveryRow,
  platform_comment_id: string,
): Promise<void> {
  const post = await findRow(context, SocialPost, delivery.social_post)
  const account = await findRow(context, SocialAccount, delivery.social_account)
  if (!post?.first_comment || !account) return
  const said = { social_post: post.id, parent: null, content: post.first_comment, platform_comment_id }
  await insertOwnComment(context, account, said)
}

/**
 * Records the outcome. A refusal starts a new round, whose requests have a new key, unless an earlier attempt may have published
 * the post or the provider has stored progress: a retry then uses the same key and searches for the post. An outcome that only a
 * person can check starts a new round, too.
 */
async function settle(context: Context, id: string, outcome: Outcome<Published>, again: boolean): Promise<void> {
  const delivery = await findRow(context, SocialDelivery, id)
  if (delivery?.status !== 'pending') return
  if ('answer' in outcome) {
    const { id: platform_post_id, url: platform_url, firstCommentId } = outcome.answer
    const published = { platform_post_id, platform_url, published_at: context.now, progress: null }
    await changeRow(context, SocialDelivery, delivery, { status: 'published', ...published })
    if (firstCommentId !== null) await noteFirstComment(context, delivery, firstCommentId)
  } else {
    const failed = { status: 'failed', error_message: outcome.refused } as const
    const nextRound = { round: delivery.round + 1, asked_at: null, progress: null }
    await changeRow(context, SocialDelivery, delivery, {
      ...failed,
      ...((outcome.unknown || (outcome.answered && !again && delivery.progress === null)) && nextRound),
    })
    if (outcome.expired) await noteRefusal(context, delivery.social_account, outcome)
  }
  await closePost(context, delivery.social_post)
}

type Progress = NonNullable<PublishRequest['progress']>

/** Returns the progress that all attempts of a delivery share. If another attempt has taken over, storing progress throws. */
function progressOf(job: JobContext, delivery: string, stored: string | null): Progress {
  const { vault } = job.services
  let last = stored
  return {
    known: stored === null ? {} : StoredProgress.parse(JSON.parse(vault.open(PURPOSE, stored))),
    async keep(values) {
      const next = Object.keys(values).length === 0 ? null : vault.seal(PURPOSE, JSON.stringify(values))
      await job.transaction(async (context) => {
        const row = await findRow(context, SocialDelivery, delivery)
        if (row?.status !== 'pending' || row.progress !== last)
          throw new Error('Another try goes on with this post, or it has ended.')
        await changeRow(context, SocialDelivery, row, { progress: next })
      })
      last = next
    },
  }
}

/** Returns the deliveries of each post in the order in which they were created. */
export async function deliveriesByPost(postIds: string[], context: Context): Promise<Map<string, SocialDeliveryRow[]>> {
  const rows = await deliveriesOf(context.db, context.accountId, postIds)
  return Map.groupBy(
    rows.map((raw) => decode(SocialDelivery, raw)),
    ({ social_post }) => social_post,
  )
}

const deliveriesOf = compileForIds((db: Context['db'], accountId, postIds) =>
  rowsOf({ db, accountId }, 'social_deliveries')
    .selectAll()
    .where('social_post', 'in', postIds)
    .orderBy('social_post')
    .orderBy('id'),
)

export async function deliveriesOfPost(context: Context, postId: string): Promise<SocialDeliveryRow[]> {
  return (await deliveriesByPost([postId], context)).get(postId) ?? []
}

/** Creates a delivery for each of the accounts, and deletes the post's deliveries for all other accounts. */
export async function setDeliveries(
  context: Context,
  postId: string,
  accounts: readonly SocialAccountRow[],
): Promise<void> {
  const known = await deliveriesOfPost(context, postId)
  const wanted = new Set(accounts.map(({ id }) => id))
  const gone = known.filter(({ social_account }) => !wanted.has(social_account)).map(({ id }) => id)
  if (gone.length > 0) await deleteRowsOf(context, 'social_deliveries').where('id', 'in', gone).execute()
  const there = new Set(known.map(({ social_account }) => social_account))
  for (const { id, platform } of accounts)
    if (!there.has(id))
      await insertRow(context, SocialDelivery, { social_post: postId, social_account: id, platform, status: 'pending' })
}

export async function removeDeliveries(context: Context, postId: string): Promise<void> {
  await deleteRowsOf(context, 'social_deliveries').where('social_post', '=', postId).execute()
}

/** Makes the failed deliveries of a post pending again. */
export async function renewFailed(context: Context, postId: string): Promise<void> {
  for (const delivery of await deliveriesOfPost(context, postId)) {
    if (delivery.status !== 'failed') continue
    await changeRow(context, SocialDelivery, delivery, { status: 'pending', error_message: null })
  }
}

/** A post in the form in which a simulated account shows it. */
export type Shown = Omit<SimulatedPostRow, 'account_id' | 'id'>

/** Copies the simulated publications of a post that is being deleted, because a simulated platform stores no posts itself. */
export async function keepSimulated(context: Context, post: SocialPostRow): Promise<void> {
  const accounts = await findRows(context, SocialAccount, post.social_accounts)
  for (const delivery of await deliveriesOfPost(context, post.id)) {
    const account = accounts.get(delivery.social_account)
    if (delivery.status !== 'published' || !account) continue
    if (!context.services.social.named(account.provider).simulation) continue
    const kept = { account_id: context.accountId, id: delivery.id, ...(await shownAs(context, post, delivery)) }
    await context.db.insertInto('sandbox_posts').values(kept).execute()
  }
}

/** Returns a post in the form in which a delivery published it. */
export async function shownAs(context: Context, post: SocialPostRow, delivery: SocialDeliveryRow): Promise<Shown> {
  const { social_account, platform, published_at } = delivery
  const { text: content, media, first_comment } = await composedFor(context, post, platform)
  const shown = { content, media_count: media.length, first_comment, published_at: published_at! }
  return { social_account, platform, ...shown }
}

/** Marks a post as published, partially failed or failed once none of its deliveries is pending. */
export async function closePost(context: Context, postId: string): Promise<SocialPostRow> {
  const post = await requireRow(context, SocialPost, postId)
  const deliveries = await deliveriesOfPost(context, postId)
  if (post.status !== 'publishing' || deliveries.some(({ status }) => status === 'pending')) return post
  const published = deliveries.filter(({ status }) => status === 'published')
  const status = outcomeOf(published.length, deliveries.length)
  const published_at = post.published_at ?? (published.length > 0 ? context.now : null)
  return context.emit(SocialPost, status, await changeRow(context, SocialPost, post, { status, published_at }))
}

function outcomeOf(published: number, all: number): 'published' | 'partially_failed' | 'failed' {
  if (published === 0) return 'failed'
  return published === all ? 'published' : 'partially_failed'
}
