import type { Row } from '../../../contract/declarations/noun.ts'
import type { Derived } from '../../../records/resource.ts'
import { actionsOf } from './permissions.ts'
import type { SocialComment } from './social_comment.ts'

export function deriveComments(rows: Row<typeof SocialComment>[]): Derived[] {
  return rows.map((row) => ({ allowed_actions: actionsOf(row) }))
}
