import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import { mayDo } from '../../contract/declarations/role-rights.ts'
import type { Context } from '../../records/context.ts'

type CallerContext = Pick<Context, 'caller'>

/** Returns the user whose resources the caller is limited to; null for all users, and an empty string for none. */
export function onlyUserOf({ caller }: CallerContext): string | null {
  if (!isUser(caller)) return ''
  return mayDo(caller, 'people.access') ? null : caller.userId
}

/** Throws `resource_missing` if the caller may not see the resources of that user. */
export function requireVisible(context: CallerContext, noun: { name: string }, { user_id }: { user_id: string }): void {
  const only = onlyUserOf(context)
  if (only !== null && only !== user_id) throw missingResource(noun.name)
}
