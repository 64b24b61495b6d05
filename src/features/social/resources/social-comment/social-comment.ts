import { flag, integer, longText, oneOf, reference, text } from '../../../../contract/declarations/kinds.ts'
import { noun, type Row, readOnly } from '../../../../contract/declarations/noun.ts'
import { PLATFORM_NAMES } from '../social-platform/social-platform.ts'

export const MAX_REPLY = 2_000
export const MAX_COMMENT = 10_000

export const SocialComment = noun('social_comment', {
  prefix: 'scom',
  group: 'SocialComments',
  area: 'content',
  description: 'A comment on a social post, by someone on the platform or by the shop.',
  events: ['created', 'updated', 'deleted'],
  eventDescriptions: { created: 'A comment was received from a platform, or written by the shop.' },
  states: {
    visible: ['delete', 'hide', 'like', 'reply', 'unhide', 'unlike'],
    hidden: ['delete', 'hide', 'like', 'reply', 'unhide', 'unlike'],
  },
  example: { social_post: null, parent: null },
  fields: readOnly({
    social_post: reference('social_post', 'Post it belongs to', 'spost_…')
      .nullable('the post was made elsewhere, or deleted')
      .expandable(),
    social_account: reference('social_account', 'Account whose post it belongs to', 'sacct_…').expandable(),
    platform: oneOf(PLATFORM_NAMES, 'Social network'),
    parent: reference('social_comment', 'Comment it replies to', 'scom_…').nullable('replies to the post').expandable(),
    author_name: text('Author’s name', { max: 200, example: 'Mara Lind' }).byStrangers(),
    author_username: text('Author’s name on the platform, without @', { max: 200, example: 'maralind' })
      .nullable('not known')
      .byStrangers(),
    content: longText('Text of the comment', MAX_COMMENT, 'When will it be back in stock?').byStrangers(),
    status: oneOf(['visible', 'hidden'], 'hidden: only its author and their friends see it'),
    liked: flag('Whether the shop likes it').default(false),
    likes_count: integer('Number of likes, including the shop’s', { min: 0, example: 2 }),
    replies_count: integer('Number of replies, including the shop’s', { min: 0, example: 0 }),
    from_account: flag('Whether the shop wrote it').default(false),
    platform_comment_id: text('Id of the comment on the platform', { max: 200, example: '17895695668004550' }).nullable(
      'not accepted by the platform yet',
    ),
  }),
})

export type SocialCommentRow = Row<typeof SocialComment>
