import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { namesOf } from '../../company/user/names.ts'
import { programNames } from '../callers.ts'
import type { ApiRequest } from './api_request.ts'

/** By whom each request was made. */
export async function deriveRequests(rows: Row<typeof ApiRequest>[], context: Context): Promise<Derived[]> {
  const names = await programNames(
    context,
    rows.map(({ caller }) => caller),
  )
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
