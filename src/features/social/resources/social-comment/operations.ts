import { invalid } from '../../../../contract/declarations/errors.ts'
import { longText } from '../../../../contract/declarations/kinds.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { changeRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { changesOf, type Marking, tellPlatform } from './jobs.ts'
import { countReply, insertOwnComment } from './own.ts'
import { actionsOf, isDone, requirePossible, requireReachable } from './permissions.ts'
import { removeComment } from './remove.ts'
import { MAX_REPLY, SocialComment, type SocialCommentRow } from './social-comment.ts'

/** Stores a reply to a comment. A job then posts it on the platform. */
async function replyToComment(
  context: Context,
  comment: SocialCommentRow,
  { content }: { content: string },
): Promise<SocialCommentRow> {
  if (content.trim() === '') throw invalid({ content: ["can't be blank"] })
  requirePossible(comment, 'reply')
  const account = await requireReachable(context, comment)
  const { social_post } = comment
  const reply = await insertOwnComment(context, account, { social_post, parent: comment.id, content })
  const told = { comment: reply.id, account: account.id, action: 'reply' as const, content }
  await context.enqueue(tellPlatform, { ...told, platformId: comment.platform_comment_id! }, { awaited: true })
  await countReply(context, comment.id, 1)
  return reply
}

/** Applies an action to a comment. A job sends the action to the platform, and undoes it in this service if the platform refuses. */
async function markComment(context: Context, comment: SocialCommentRow, action: Marking): Promise<SocialCommentRow> {
  requirePossible(comment, action)
  if (isDone(comment, action)) return comment
  const account = await requireReachable(context, comment)
  const changed = await changeRow(context, SocialComment, comment, changesOf(comment, action))
  const told = { ...{ comment: comment.id, account: account.id, action }, platformId: comment.platform_comment_id! }
  await context.enqueue(tellPlatform, { ...told, content: null }, { awaited: true })
  context.emit(SocialComment, 'updated', changed)
  return changed
}

/** Deletes a comment with its replies, both in this service and on the platform. */
async function deleteComment(context: Context, comment: SocialCommentRow): Promise<void> {
  requirePossible(comment, 'delete')
  await removeComment(context, comment)
  const { id, social_account: account, platform_comment_id: platformId } = comment
  if (platformId === null) return
  await context.enqueue(tellPlatform, { comment: id, account, action: 'delete', platformId, content: null })
}

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
