import type { Context } from '../../records/context.ts'
import { rowsOf } from '../../records/rows-of.ts'
import { membersOf } from '../company/user/members.ts'

interface CallerIds {
  caller_id: string
  user_id: string
}

type CallerNames = { caller_name: string | null; user_name: string | null }

/** Returns the names of each row's user and API token or client; null for those that no longer exist. */
export async function callerNames(context: Context, rows: CallerIds[]): Promise<CallerNames[]> {
  const members = await membersOf(context)
  const names = await programNames(
    context,
    rows.map((row) => row.caller_id),
  )
  return rows.map(({ caller_id, user_id }) => ({
    caller_name: names.get(caller_id) ?? null,
    user_name: members.get(user_id)?.name ?? null,
  }))
}

export async function programNames(context: Context, callerIds: string[]): Promise<Map<string, string>> {
  const ids = [...new Set(callerIds)]
  const tokens = await rowsOf(context, 'api_tokens').select(['id', 'name']).where('id', 'in', ids).execute()
  const programs = rowsOf(context, 'connections').select(['id', 'client_name as name']).where('id', 'in', ids)
  return new Map([...tokens, ...(await programs.execute())].map(({ id, name }) => [id, name]))
}
