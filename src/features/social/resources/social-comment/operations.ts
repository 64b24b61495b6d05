import { ApiError, invalid } from '../../../../contract/declarations/errors.ts'
import { longText } from '../../../../contract/declarations/kinds.ts'
import { keysOf } from '../../../../contract/values/keys.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow, requireRow } from '../../../../records/records.ts'
import { resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import type { CommentAction, Login } from '../../providers/provider.ts'
import { ask, MOST_ATTEMPTS, type Outcome, unanswered } from '../asking.ts'
import { currentLogin, noteRefusal } from '../social-account/access.ts'
import { loginOf } from '../social-account/credentials.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import { platformOf } from '../social-platform/platforms.ts'
import type { Supports } from '../social-platform/social-platform.ts'
import { MAX_REPLY, SocialComment, type SocialCommentRow } from './social-comment.ts'
import { countReply, forgetDeletion, insertOwnComment, isDeleted, noteDeletion, removeComment } from './write.ts'

type Action = 'delete' | 'reply' | 'hide' | 'unhide' | 'like' | 'unlike'

/** The platform feature that each action needs. */
const FEATURES: Record<Action, keyof Supports> = {
  delete: 'delete_comments',
  reply: 'comments',
  hide: 'hide_comments',
  unhide: 'hide_comments',
  like: 'likes',
  unlike: 'likes',
}

/** Returns the actions that a comment allows and that are not already done. */
function actionsOf(comment: SocialCommentRow): Action[] {
  const { supports } = platformOf(comment.platform)
  return keysOf(FEATURES)
    .filter(
      (action) => isSupported(comment, supports, action) && !isOwnHiding(comment, action) && !isDone(comment, action),
    )
    .sort()
}

/** Returns whether the comment is already in the state to which the action leads. */
function isDone({ status, liked }: SocialCommentRow, action: Action): boolean {
  if (action === 'hide') return status === 'hidden'
  if (action === 'unhide') return status === 'visible'
  if (action === 'like') return liked
  return action === 'unlike' && !liked
}

/** Throws a 400 when the action is never possible on the comment. */
function requirePossible(comment: SocialCommentRow, action: Action): void {
  const { name, supports } = platformOf(comment.platform)
  if (!isSupported(comment, supports, action)) {
    const what = action === 'delete' ? 'comments by others' : 'comments'
    const instead = action === 'delete' && supports.hide_comments ? ' Hide it instead.' : ''
    throw new ApiError('invalid_state', `${name} does not let apps ${action} ${what}.${instead}`)
  }
  if (isOwnHiding(comment, action))
    throw new ApiError('invalid_state', 'Cannot hide the shop’s own comment; delete it instead.')
}

/** Returns the account with which the action is sent to the platform. Throws a 400 when that is not possible now. */
async function requireReachable(context: Context, comment: SocialCommentRow): Promise<SocialAccountRow> {
  const account = await requireRow(context, SocialAccount, comment.social_account)
  if (account.status !== 'connected')
    throw new ApiError('invalid_state', `The social account is ${account.status}. Reconnect it first.`)
  if (comment.platform_comment_id === null)
    throw new ApiError('invalid_state', 'The platform has not accepted this comment yet. Try again in a moment.')
  return account
}

/** Returns whether the platform supports the action. The shop's own comments can be deleted on every platform. */
function isSupported({ from_account }: SocialCommentRow, supports: Supports, action: Action): boolean {
  return (action === 'delete' && from_account) || supports[FEATURES[action]]
}

function isOwnHiding({ from_account }: SocialCommentRow, action: Action): boolean {
  return from_account && action === 'hide'
}

const OPPOSITES: Record<Marking, Marking> = { hide: 'unhide', unhide: 'hide', like: 'unlike', unlike: 'like' }

/**
 * An action to send to a platform. For a reply, `comment` is the reply, and `platformId` is the platform's id of the comment that
 * it answers.
 */
interface CommentActionPayload {
  comment: string
  account: string
  action: CommentAction
  platformId: string
  content: string | null
}

interface AccountLogin {
  provider: string
  login: Login
}

/** Sends an action on a comment to the platform. If the platform refuses, the action is undone in this service. */
const tellPlatform = job<CommentActionPayload>('social_comment.tell_platform', {
  emits: ['social_comment.updated', 'social_comment.deleted', 'social_account.expired', 'social_account.updated'],
  attempts: MOST_ATTEMPTS,
  foresee: async (_, told) => told.map(() => ({ kind: 'comment' })),
  async work(job, told) {
    const speaker = await job.transaction((context) => speakerOf(context, told))
    if (!speaker) return job.finish((context) => noteUnsent(context, told))
    const outcome = await ask(job, told.account, () => tell(job, speaker, told))
    await job.finish((context) => settle(context, told, outcome))
  },
})

/** Returns the login with which the action is sent, or null when the action no longer applies. */
async function speakerOf(context: Context, told: CommentActionPayload): Promise<AccountLogin | null> {
  const account = await findRow(context, SocialAccount, told.account)
  if (!account || (await isOutdated(context, told))) return null
  return { provider: account.provider, login: loginOf(context, account) }
}

/** Records on the account that a reply was not sent, because the comment that it answers was deleted first. */
async function noteUnsent(context: Context, { account, action, platformId }: CommentActionPayload): Promise<void> {
  if (action === 'reply' && (await isDeleted(context, account, platformId)))
    await noteRefusal(context, account, unanswered('A reply was not sent: the comment that it answers was deleted.'))
}

/** Returns whether the comment was deleted, or the action undone, before the action was sent. */
async function isOutdated(context: Context, { comment: id, action }: CommentActionPayload): Promise<boolean> {
  if (action === 'delete') return false
  const comment = await findRow(context, SocialComment, id)
  return !comment || (action !== 'reply' && !isDone(comment, action))
}

async function tell(job: JobContext, speaker: AccountLogin, told: CommentActionPayload) {
  const { action, platformId: comment, content } = told
  const { services, jobId: key, signal, attempt } = job
  const provider = services.social.named(speaker.provider)
  const login = await currentLogin(job, speaker.login, provider)
  return provider.comment({ login, key, action, again: attempt > 1, comment, content, signal })
}

async function settle(
  context: Context,
  told: CommentActionPayload,
  outcome: Outcome<{ id: string | null }>,
): Promise<void> {
  if ('refused' in outcome) await noteRefusal(context, told.account, outcome)
  const comment = await findRow(context, SocialComment, told.comment)
  if ('refused' in outcome) return undoAction(context, told, comment)
  if (told.action !== 'reply') return
  if (!comment) return withdrawReply(context, told, outcome.answer.id)
  await context.remember(SocialComment, [comment])
  const posted = await changeRow(context, SocialComment, comment, { platform_comment_id: outcome.answer.id })
  context.emit(SocialComment, 'updated', posted)
}

/** Deletes a reply from the platform that was deleted in this service while it was being sent. */
async function withdrawReply(context: Context, told: CommentActionPayload, platformId: string | null): Promise<void> {
  if (platformId === null || !(await findRow(context, SocialAccount, told.account))) return
  await noteDeletion(context, told.account, platformId)
  await context.enqueue(tellPlatform, { ...told, action: 'delete', platformId, content: null })
}

async function undoAction(
  context: Context,
  { action, account, platformId }: CommentActionPayload,
  comment: SocialCommentRow | undefined,
): Promise<void> {
  // The platform still has the comment, so the next sync imports it again.
  if (action === 'delete') return forgetDeletion(context, account, platformId)
  if (!comment) return
  if (action === 'reply') return removeComment(context, comment)
  const opposite = OPPOSITES[action]
  if (isDone(comment, opposite)) return
  await context.remember(SocialComment, [comment])
  context.emit(SocialComment, 'updated', await changeRow(context, SocialComment, comment, changesOf(comment, opposite)))
}

type Marking = 'hide' | 'unhide' | 'like' | 'unlike'

function changesOf({ likes_count }: SocialCommentRow, action: Marking): Partial<SocialCommentRow> {
  if (action === 'hide') return { status: 'hidden' }
  if (action === 'unhide') return { status: 'visible' }
  const liked = action === 'like'
  return { liked, likes_count: Math.max(0, likes_count + (liked ? 1 : -1)) }
}

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
  return context.emit(SocialComment, 'updated', changed)
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

export const socialComments = resource(SocialComment, {
  derive: (rows) => rows.map((row) => ({ allowed_actions: actionsOf(row) })),
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
      rule: (context, comment) => markComment(context, comment, 'hide'),
    }),
    action('unhide', {
      summary: 'Show a hidden comment again',
      description: `Unhides it, so that everyone sees it again. ${PLATFORM_MAY_REFUSE}`,
      rule: (context, comment) => markComment(context, comment, 'unhide'),
    }),
    action('like', {
      summary: 'Like a comment',
      description: `Gives it a heart or thumbs up, as the account. On platforms without likes, 400 invalid_state. ${PLATFORM_MAY_REFUSE}`,
      rule: (context, comment) => markComment(context, comment, 'like'),
    }),
    action('unlike', {
      summary: 'Remove a like',
      description: `Removes the account’s heart or thumbs up. ${PLATFORM_MAY_REFUSE}`,
      rule: (context, comment) => markComment(context, comment, 'unlike'),
    }),
  ],
})
