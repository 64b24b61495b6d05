import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow } from '../../../../records/records.ts'
import type { CommentAction, Login } from '../../providers/provider.ts'
import { ask, MOST_ATTEMPTS, type Outcome, unanswered } from '../asking.ts'
import { loginOf } from '../social-account/credentials.ts'
import { currentLogin, noteRefusal } from '../social-account/current-login.ts'
import { SocialAccount } from '../social-account/social-account.ts'
import { isDone } from './permissions.ts'
import { forgetDeletion, isDeleted, noteDeletion, removeComment } from './remove.ts'
import { SocialComment, type SocialCommentRow } from './social-comment.ts'

const OPPOSITES: Record<Marking, Marking> = { hide: 'unhide', unhide: 'hide', like: 'unlike', unlike: 'like' }

/** An action to report to a platform. For a reply, `comment` is the reply, and `platformId` is the id of the comment that it answers. */
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
export const tellPlatform = job<CommentActionPayload>('social_comment.tell_platform', {
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

/** Deletes a reply from the platform. The reply was deleted in this service while it was being sent. */
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
  const opposite = oppositeOf(action)
  if (isDone(comment, opposite)) return
  await context.remember(SocialComment, [comment])
  const restored = await changeRow(context, SocialComment, comment, changesOf(comment, opposite))
  context.emit(SocialComment, 'updated', restored)
}

export type Marking = 'hide' | 'unhide' | 'like' | 'unlike'

export function changesOf({ likes_count }: SocialCommentRow, action: Marking): Partial<SocialCommentRow> {
  if (action === 'hide') return { status: 'hidden' }
  if (action === 'unhide') return { status: 'visible' }
  const liked = action === 'like'
  return { liked, likes_count: Math.max(0, likes_count + (liked ? 1 : -1)) }
}

/** Returns the action that undoes the given one. */
function oppositeOf(action: Marking): Marking {
  return OPPOSITES[action]
}
