import { invalidParameter } from '../../../../contract/declarations/errors.ts'
import { oneOf, text } from '../../../../contract/declarations/kinds.ts'
import type { AnswerOf } from '../../../../contract/declarations/noun.ts'
import { DEFAULT_LIMIT, LIST_PARAMETERS } from '../../../../contract/requests/query.ts'
import type { Context } from '../../../../records/context.ts'
import { type CustomPage, customList } from '../../../../records/custom.ts'
import { requireRow } from '../../../../records/records.ts'
import { resource } from '../../../../records/resource.ts'
import { deliveriesOfPost } from '../social-delivery/publish.ts'
import { SocialPost } from '../social-post/social-post.ts'
import { SocialPostTarget } from './social-post-target.ts'

export const socialPostTargets = resource(SocialPostTarget, {
  operations: [
    customList({
      id: 'list_social_post_targets',
      method: 'GET',
      path: '/social_posts/{id}/targets',
      summary: 'List results per social account',
      description: 'Shows on which networks a post went out, with its URL there, and why it failed elsewhere.',
      answers: SocialPostTarget,
      query: {
        ...LIST_PARAMETERS,
        starting_after: text('Account of the last target on the previous page', {
          max: 200,
          example: 'sacct_…',
        }).nullable(),
        status: oneOf(['pending', 'published', 'failed'], 'Only targets in this status'),
      },
      rule: (context, { path, query }) => listTargets(context, path.id, query),
    }),
  ],
})

interface Query {
  limit?: number | null
  starting_after?: string | null
  status?: string
}

/** Returns a page of a post's targets. The cursor is the id of a social account, because a target has no id of its own. */
async function listTargets(
  context: Context,
  postId: string,
  query: Query,
): Promise<CustomPage<AnswerOf<typeof SocialPostTarget>>> {
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
