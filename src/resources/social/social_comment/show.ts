import type { Derived } from '../../../records/resource.ts'
import { actionsOf } from './permissions.ts'
import type { SocialCommentRow } from './social_comment.ts'

export function deriveComments(rows: SocialCommentRow[]): Derived[] {
  return rows.map((row) => ({ allowed_actions: actionsOf(row) }))
}
