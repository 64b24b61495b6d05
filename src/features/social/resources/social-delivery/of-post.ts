import { compileForIds } from '../../../../database/compile-once.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, insertRow } from '../../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../../records/rows-of.ts'
import type { SocialAccountRow } from '../social-account/social-account.ts'
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
