import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { mayDo } from '../../contract/declarations/role-rights.ts'
import type { Context } from '../../records/context.ts'

type Sees = Pick<Context, 'caller'>

/** The one user whose things the caller sees: one’s own, or those of everybody (null) where the role includes that. */
export function onlyUserOf({ caller }: Sees): string | null {
  if (!isUser(caller)) return ''
  return mayDo(caller, 'people.access') ? null : caller.userId
}

/** Throws `resource_missing` for what is another person's, unless the caller sees that of everybody. */
export function requireSight(context: Sees, noun: { name: string }, { user_id }: { user_id: string }): void {
  const only = onlyUserOf(context)
  if (only !== null && only !== user_id) throw missingResource(noun.name)
}
