import { integer, oneOf, reference, text, timestamp } from '../../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

/** The error message of a target whose social account was disconnected. */
export const ACCOUNT_GONE = 'account disconnected'

/**
 * The publication of one post on one account; responses show it as `social_post_target`. `asked_at` is written before the platform is
 * called. After a crash, it tells the next attempt that the post may already exist. A round ends when the platform refuses. If a response
 * was lost, the retry belongs to the same round and uses the same key.
 */
export const SocialDelivery = noun('social_delivery', {
  prefix: 'sdel',
  plural: 'social_deliveries',
  group: 'SocialPosts',
  description: 'One post on its way to one account.',
  hidden: {
    round: integer('Number of the try, from 1; a refusal of the platform ends one').default(1),
    asked_at: timestamp('When the platform was first asked in this round').nullable(),
    progress: text('What the adapter has kept in this round, encrypted').nullable(),
  },
  fields: readOnly({
    social_post: reference('social_post', 'Post to publish'),
    social_account: reference('social_account', 'Account to publish it on'),
    platform: oneOf(PLATFORM_NAMES, 'Platform of the account'),
    status: oneOf(['pending', 'published', 'failed'], 'Outcome so far'),
    platform_post_id: text('Id of the post on the platform', { max: 200 }).nullable('not published'),
    platform_url: text('URL of the post on the platform', { max: 2048 }).nullable('not published').foreign(),
    error_message: text('Why it failed', { max: 500 }).nullable('it did not fail'),
    published_at: timestamp('When it was published').nullable('not published'),
  }),
})

export type SocialDeliveryRow = Row<typeof SocialDelivery>
