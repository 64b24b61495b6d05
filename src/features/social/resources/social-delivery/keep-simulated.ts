import type { Context } from '../../../../records/context.ts'
import { findRows } from '../../../../records/records.ts'
import type { SimulatedPostRow } from '../../tables.ts'
import { SocialAccount } from '../social-account/social-account.ts'
import { composedFor } from '../social-post/composed.ts'
import type { SocialPostRow } from '../social-post/social-post.ts'
import { deliveriesOfPost } from './of-post.ts'
import type { SocialDeliveryRow } from './social-delivery.ts'

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
