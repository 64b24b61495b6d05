import { isUser } from '../../contract/declarations/caller.ts'
import { missingResource } from '../../contract/declarations/errors.ts'
import type { Noun, Row } from '../../contract/declarations/noun.ts'
import { mayDo } from '../../contract/declarations/role-rights.ts'
import type { Context } from '../../records/context.ts'
import type { CustomPage } from '../../records/custom.ts'
import { NEWEST_FIRST, page, type Select } from '../../records/page.ts'
import { requireRow } from '../../records/records.ts'

/** Returns a page of the rows that the caller may see: everybody's, or its own. `narrow` leaves out further rows. */
export function visiblePage<N extends Noun>(
  context: Context,
  noun: N,
  { limit, starting_after }: Record<string, unknown>,
  narrow = (query: Select) => query,
): Promise<CustomPage<Row<N>>> {
  const only = onlyUserOf(context)
  return page(context, noun, {
    order: NEWEST_FIRST,
    limit: limit as number,
    startingAfter: starting_after as string | undefined,
    narrow: async (query) => (only === null ? narrow(query) : narrow(query).where('user_id', '=', only)),
  })
}

/** Returns the row. Throws `resource_missing` if it does not exist or the caller may not see it. */
export async function requireVisible<N extends Noun>(context: Context, noun: N, id: string): Promise<Row<N>> {
  const row = await requireRow(context, noun, id)
  const only = onlyUserOf(context)
  if (only !== null && only !== row.user_id) throw missingResource(noun.name)
  return row
}

/** Returns the user whose resources the caller is limited to; null for all users, and an empty string for none. */
function onlyUserOf({ caller }: Context): string | null {
  if (!isUser(caller)) return ''
  return mayDo(caller, 'people.access') ? null : caller.userId
}
