import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { mayDo } from '../../contract/declarations/role-rights.ts'
import type { Context } from '../../records/context.ts'

type CallerContext = Pick<Context, 'caller'>

/** Returns the only user whose resources the caller may see, or null when the caller's role includes those of everybody. */
export function onlyUserOf({ caller }: CallerContext): string | null {
  if (!isUser(caller)) return ''
  return mayDo(caller, 'people.access') ? null : caller.userId
}

/** Throws `resource_missing` for another person's resource that the caller may not see. */
export function requireVisible(context: CallerContext, noun: { name: string }, { user_id }: { user_id: string }): void {
  const only = onlyUserOf(context)
  if (only !== null && only !== user_id) throw missingResource(noun.name)
}
