import type { Row } from '../../../contract/declarations/noun.ts'
import type { SocialComment } from './social_comment.ts'

type CommentRow = Row<typeof SocialComment>
export type Marking = 'hide' | 'unhide' | 'like' | 'unlike'

const OPPOSITES: Record<Marking, Marking> = { hide: 'unhide', unhide: 'hide', like: 'unlike', unlike: 'like' }

/** What an action changes of a comment. */
export function changesOf({ likes_count }: CommentRow, action: Marking): Partial<CommentRow> {
  if (action === 'hide') return { status: 'hidden' }
  if (action === 'unhide') return { status: 'visible' }
  const liked = action === 'like'
  return { liked, likes_count: Math.max(0, likes_count + (liked ? 1 : -1)) }
}

/** The action that takes another back. */
export function oppositeOf(action: Marking): Marking {
  return OPPOSITES[action]
}
