import { longText } from '../../../../contract/declarations/kinds.ts'
import { equals } from '../../../../records/filters.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { deleteComment } from './delete.ts'
import { tellPlatform } from './jobs.ts'
import { markComment } from './mark.ts'
import { actionsOf } from './permissions.ts'
import { replyToComment } from './reply.ts'
import { MAX_REPLY, SocialComment, type SocialCommentRow } from './social-comment.ts'

const { list, retrieve, remove, action } = verbs(SocialComment)

const PLATFORM_MAY_REFUSE = 'If the platform refuses, it is undone, and error_message of the account says why.'
const emits = ['social_comment.updated']

export const socialComments = resource(SocialComment, {
  derive: deriveComments,
  jobs: [tellPlatform],
  operations: [
    list({
      summary: 'List comments received on posts',
      description:
        'Comments by other people, and the shop’s replies. New ones are fetched once a day, or when the account is synced. A comment is unanswered while no row with from_account has it as parent.',
      filters: {
        social_post: equals(SocialComment, 'social_post', 'Only comments on the post with this id'),
        social_account: equals(SocialComment, 'social_account', 'Only comments on posts of the account with this id'),
        status: equals(SocialComment, 'status', 'Only comments in this status'),
        parent: equals(SocialComment, 'parent', 'Only replies to the comment with this id'),
      },
    }),
    retrieve({ summary: 'Show one comment' }),
    remove({
      summary: 'Delete a comment',
      description:
        'Deletes it and all replies, here and on the platform. This cannot be undone. On platforms without deleting comments by others, 400 invalid_state. If the platform refuses, it is back after the next sync.',
      emits: ['social_comment.deleted', 'social_comment.updated'],
      rule: deleteComment,
    }),
    {
      ...action('reply', {
        id: 'reply_to_social_comment',
        summary: 'Reply to a comment',
        description: `Replies to a customer publicly, as the account. ${PLATFORM_MAY_REFUSE}`,
        body: { content: longText('Text of the reply', MAX_REPLY, 'Next week!').required() },
        emits: ['social_comment.created', 'social_comment.updated'],
        // Replies to the same comment must run one after the other, because they change the same counter.
        inTurn: true,
        rule: replyToComment,
      }),
      status: 201,
    },
    action('hide', {
      summary: 'Hide a comment',
      description: `Moderation: hides it from others. On platforms without hiding, and for the shop’s own comments, 400 invalid_state. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'hide'),
    }),
    action('unhide', {
      summary: 'Show a hidden comment again',
      description: `Unhides it, so that everyone sees it again. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'unhide'),
    }),
    action('like', {
      summary: 'Like a comment',
      description: `Gives it a heart or thumbs up, as the account. On platforms without likes, 400 invalid_state. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'like'),
    }),
    action('unlike', {
      summary: 'Remove a like',
      description: `Removes the account’s heart or thumbs up. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'unlike'),
    }),
  ],
})

function deriveComments(rows: SocialCommentRow[]): Derived[] {
  return rows.map((row) => ({ allowed_actions: actionsOf(row) }))
}
