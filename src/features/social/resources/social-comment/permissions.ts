import { ApiError } from '../../../../contract/declarations/errors.ts'
import { keysOf } from '../../../../contract/values/keys.ts'
import type { Context } from '../../../../records/context.ts'
import { requireRow } from '../../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import { platformOf } from '../social-platform/platforms.ts'
import type { Supports } from '../social-platform/social-platform.ts'
import type { SocialCommentRow } from './social-comment.ts'

export type Action = 'delete' | 'reply' | 'hide' | 'unhide' | 'like' | 'unlike'

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
export function actionsOf(comment: SocialCommentRow): Action[] {
  const { supports } = platformOf(comment.platform)
  return keysOf(FEATURES)
    .filter(
      (action) => isSupported(comment, supports, action) && !isOwnHiding(comment, action) && !isDone(comment, action),
    )
    .sort()
}

/** Returns whether the comment is already in the state that the action leads to. */
export function isDone({ status, liked }: SocialCommentRow, action: Action): boolean {
  if (action === 'hide') return status === 'hidden'
  if (action === 'unhide') return status === 'visible'
  if (action === 'like') return liked
  return action === 'unlike' && !liked
}

/** Throws a 400 when the action is never possible on the comment. */
export function requirePossible(comment: SocialCommentRow, action: Action): void {
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
export async function requireReachable(context: Context, comment: SocialCommentRow): Promise<SocialAccountRow> {
  const account = await requireRow(context, SocialAccount, comment.social_account)
  if (account.status !== 'connected')
    throw new ApiError('invalid_state', `The social account is ${account.status}. Reconnect it first.`)
  if (comment.platform_comment_id === null)
    throw new ApiError('invalid_state', 'The platform has not accepted this comment yet. Try again in a moment.')
  return account
}

/** The shop may delete its own comments on every platform that allows it to write comments. */
function isSupported({ from_account }: SocialCommentRow, supports: Supports, action: Action): boolean {
  return (action === 'delete' && from_account) || supports[FEATURES[action]]
}

function isOwnHiding({ from_account }: SocialCommentRow, action: Action): boolean {
  return from_account && action === 'hide'
}
