import { longText } from '../../../contract/kinds.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { deleteComment } from './delete.ts'
import { tellPlatform } from './jobs.ts'
import { markComment } from './mark.ts'
import { replyToComment } from './reply.ts'
import { deriveComments } from './show.ts'
import { MAX_REPLY, SocialComment } from './social_comment.ts'

const { list, retrieve, remove, action } = verbs(SocialComment)

const PLATFORM_MAY_REFUSE = 'If the platform refuses, it is taken back, and error_message of the account says why.'
const emits = ['social_comment.updated']

export const socialComments = resource(SocialComment, {
  derive: deriveComments,
  jobs: [tellPlatform],
  operations: [
    list({
      summary: 'List comments received on posts',
      description:
        'Comments of other people, and the answers of the shop. New ones are read once a day, or when the account is synced. A comment is unanswered while no row with from_account has it as its parent.',
      filters: {
        social_post: equals(SocialComment, 'social_post', 'Only comments on the post of this id'),
        social_account: equals(SocialComment, 'social_account', 'Only comments on posts of the account of this id'),
        status: equals(SocialComment, 'status', 'Only comments in this status'),
        parent: equals(SocialComment, 'parent', 'Only answers to the comment of this id'),
      },
    }),
    retrieve({ summary: 'Show one comment' }),
    remove({
      summary: 'Delete a comment',
      description: 'Removes it with all answers to it, here and on the platform. It cannot be brought back.',
      emits: ['social_comment.deleted', 'social_comment.updated'],
      rule: deleteComment,
    }),
    {
      ...action('reply', {
        id: 'reply_to_social_comment',
        summary: 'Answer a comment',
        description: `Writes back to a customer publicly, in the name of the account. ${PLATFORM_MAY_REFUSE}`,
        body: { content: longText('Words of the answer', MAX_REPLY, 'Next week!').required() },
        emits: ['social_comment.created', 'social_comment.updated'],
        // Each counts the replies of one comment.
        inTurn: true,
        rule: replyToComment,
      }),
      status: 201,
    },
    action('hide', {
      summary: 'Hide a comment',
      description: `Moderation: others no longer see it. Not every platform can, and not for comments of the shop itself: 400 invalid_state. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'hide'),
    }),
    action('unhide', {
      summary: 'Show a hidden comment again',
      description: `Takes hiding back, so that everybody sees it. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'unhide'),
    }),
    action('like', {
      summary: 'Like a comment',
      description: `Gives it a heart or a thumb up, in the name of the account. Not on every platform: 400 invalid_state. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'like'),
    }),
    action('unlike', {
      summary: 'Take back a like',
      description: `Removes the heart or thumb up that the account gave. ${PLATFORM_MAY_REFUSE}`,
      emits,
      rule: (context, comment) => markComment(context, comment, 'unlike'),
    }),
  ],
})
