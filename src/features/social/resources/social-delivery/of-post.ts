import { compileForIds } from '../../../../database/compile-once.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, findRows, insertRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { SimulatedPostRow } from '../../tables.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import { composedFor } from '../social-post/content.ts'
import type { SocialPostRow } from '../social-post/social-post.ts'
import { SocialDelivery, type SocialDeliveryRow } from './social-delivery.ts'

/** Returns the deliveries of each post in the order in which they were created. */
export async function deliveriesByPost(postIds: string[], context: Context): Promise<Map<string, SocialDeliveryRow[]>> {
  const rows = await deliveriesOf(context.db, context.accountId, postIds)
  return Map.groupBy(
    rows.map((raw) => decode<SocialDeliveryRow>(SocialDelivery, raw)),
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
