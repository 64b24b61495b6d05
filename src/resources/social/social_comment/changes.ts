import type { SocialCommentRow } from './social_comment.ts'

export type Marking = 'hide' | 'unhide' | 'like' | 'unlike'

const OPPOSITES: Record<Marking, Marking> = { hide: 'unhide', unhide: 'hide', like: 'unlike', unlike: 'like' }

export function changesOf({ likes_count }: SocialCommentRow, action: Marking): Partial<SocialCommentRow> {
  if (action === 'hide') return { status: 'hidden' }
  if (action === 'unhide') return { status: 'visible' }
  const liked = action === 'like'
  return { liked, likes_count: Math.max(0, likes_count + (liked ? 1 : -1)) }
}

/** The action that takes another back. */
export function oppositeOf(action: Marking): Marking {
  return OPPOSITES[action]
}
