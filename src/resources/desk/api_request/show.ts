import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { namesOf } from '../../company/user/names.ts'
import type { ApiRequest } from './api_request.ts'

/** By whom each request was made. */
export async function deriveRequests(rows: Row<typeof ApiRequest>[], context: Context): Promise<Derived[]> {
  const callers = [...new Set(rows.map(({ caller }) => caller))]
  const tokens = await rowsOf(context, 'api_tokens').select(['id', 'name']).where('id', 'in', callers).execute()
  const connected = rowsOf(context, 'connections').select(['id', 'client_name as name']).where('id', 'in', callers)
  const names = new Map([...tokens, ...(await connected.execute())].map(({ id, name }) => [id, name]))
  const people = await namesOf(
    context,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map(({ caller, user_id }) => ({
    token_id: caller,
    token_name: names.get(caller) ?? null,
    user_name: people.get(user_id ?? '')?.name ?? null,
  }))
}
