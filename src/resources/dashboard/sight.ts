import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import type { Context } from '../../records/context.ts'

type Sees = Pick<Context, 'caller'>

/** The one user whose things the caller sees: members see their own, and owners and admins those of everybody (null). */
export function onlyUserOf({ caller }: Sees): string | null {
  if (!isUser(caller)) return ''
  return caller.role === 'member' ? caller.userId : null
}

/** Throws `resource_missing` for what is another person's, unless the caller sees that of everybody. */
export function requireSight(context: Sees, noun: { name: string }, { user_id }: { user_id: string }): void {
  const only = onlyUserOf(context)
  if (only !== null && only !== user_id) throw missingResource(noun.name)
}
