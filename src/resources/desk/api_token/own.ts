import { type Caller, isUser } from '../../../contract/caller.ts'
import { missingResource } from '../../../contract/errors.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import { type PageRequest, page } from '../../../records/page.ts'
import { requireRow } from '../../../records/records.ts'
import { ApiToken } from './api_token.ts'

/** Members see their own tokens; owners and admins see those of everybody. */
function seesAll(caller: Caller): boolean {
  return isUser(caller) && caller.role !== 'member'
}

function userOf(caller: Caller): string {
  return isUser(caller) ? caller.userId : ''
}

/** The tokens that the caller may see, newest first. */
export function tokenPage(context: Context, { limit, starting_after }: { limit?: unknown; starting_after?: unknown }) {
  const request: PageRequest = {
    order: { key: null, direction: 'desc' },
    limit: limit as number,
    startingAfter: starting_after as string | undefined,
    narrow: seesAll(context.caller)
      ? undefined
      : async (select) => select.where('user_id', '=', userOf(context.caller)),
  }
  return page(context, ApiToken, request)
}

/** A token that the caller may see. Throws `resource_missing` for those of others. */
export async function requireToken(context: Context, id: string): Promise<Row<typeof ApiToken>> {
  const token = await requireRow(context, ApiToken, id)
  if (seesAll(context.caller) || token.user_id === userOf(context.caller)) return token
  throw missingResource(ApiToken.name)
}
