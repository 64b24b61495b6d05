import { oneOf, reference, text, timestamp } from '../../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

/** A row of `social_deliveries` in the form that responses show. */
export const SocialPostTarget = answerNoun('social_post_target', {
  group: 'SocialPosts',
  area: 'content',
  description: 'The result of a post on one social account.',
  gist: 'its results',
  listOrder: 'in the order its accounts were added',
  fields: {
    social_account: reference('social_account', 'Account to publish on', 'sacct_…'),
    platform: oneOf(PLATFORM_NAMES, 'Social network of the account'),
    status: oneOf(
      ['pending', 'published', 'failed'],
      'pending: waiting for its time or for the platform; failed: not published there',
    ),
    platform_post_id: text('Id of the post on the platform', { max: 200, example: null }).nullable('not published'),
    platform_url: text('URL of the post on the platform', { max: 2048, example: null }).nullable('not published'),
    error_message: text('Why it failed', { max: 500, example: null }).nullable('it did not fail'),
    published_at: timestamp('When it was published').nullable('not published'),
  },
  example: { status: 'pending', published_at: null },
})
