import { invalidParameter } from '../../../contract/declarations/errors.ts'
import { DEFAULT_LIMIT } from '../../../contract/requests/query.ts'
import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { requireRow } from '../../../records/records.ts'
import { deliveriesOfPost } from '../social_delivery/of_post.ts'
import { SocialPost } from '../social_post/social_post.ts'

interface Query {
  limit?: number | null
  starting_after?: string | null
  status?: string
}

/** A page of the targets of a post. Targets have no id of their own: the cursor is their account's. */
export async function listTargets(context: Context, postId: string, query: Query): Promise<CustomPage> {
  const { limit, starting_after: after, status } = query
  const post = await requireRow(context, SocialPost, postId)
  const all = await deliveriesOfPost(context, post.id)
  const place = after == null ? -1 : all.findIndex(({ social_account }) => social_account === after)
  if (after != null && place < 0)
    throw invalidParameter('starting_after', 'is not the id of a social account that the post goes to')
  const rows = all.slice(place + 1).filter((one) => status === undefined || one.status === status)
  const most = limit ?? DEFAULT_LIMIT
  return { rows: rows.slice(0, most), hasMore: rows.length > most }
}
