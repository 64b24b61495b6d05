import { oneOf, text } from '../../../contract/declarations/kinds.ts'
import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import { customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { listTargets } from './list.ts'
import { SocialPostTarget } from './social_post_target.ts'

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
