import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { mayDo } from '../../contract/declarations/role-rights.ts'
import type { Context } from '../../records/context.ts'

type CallerContext = Pick<Context, 'caller'>

/** Returns the id of the only user whose resources the caller may see, or null when the caller may see those of all users. */
export function onlyUserOf({ caller }: CallerContext): string | null {
  if (!isUser(caller)) return ''
  return mayDo(caller, 'people.access') ? null : caller.userId
}

/** Throws `resource_missing` when the resource belongs to another person and the caller may not see it. */
export function requireVisible(context: CallerContext, noun: { name: string }, { user_id }: { user_id: string }): void {
  const only = onlyUserOf(context)
  if (only !== null && only !== user_id) throw missingResource(noun.name)
}
