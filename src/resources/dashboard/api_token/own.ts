import type { Context } from '../../../records/context.ts'
import type { CustomPage } from '../../../records/custom.ts'
import { NEWEST_FIRST, page } from '../../../records/page.ts'
import { requireRow } from '../../../records/records.ts'
import { onlyUserOf, requireSight } from '../sight.ts'
import { ApiToken, type ApiTokenRow } from './api_token.ts'

/** The tokens that the caller may see, newest first. */
export function tokenPage(context: Context, { limit, starting_after }: Record<string, unknown>): Promise<CustomPage> {
  const only = onlyUserOf(context)
  return page(context, ApiToken, {
    order: NEWEST_FIRST,
    limit: limit as number,
    startingAfter: starting_after as string | undefined,
    narrow: only === null ? undefined : async (query) => query.where('user_id', '=', only),
  })
}

/** A token that the caller may see. Throws `resource_missing` for those of others. */
export async function requireToken(context: Context, id: string): Promise<ApiTokenRow> {
  const token = await requireRow(context, ApiToken, id)
  requireSight(context, ApiToken, token)
  return token
}
