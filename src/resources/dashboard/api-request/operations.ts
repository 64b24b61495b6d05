import { type SqlBool, sql } from 'kysely'
import { oneOf } from '../../../contract/declarations/kinds.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { anyOf, equals, filterSeveral } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { namesOf } from '../../company/user/names.ts'
import { programNames } from '../callers.ts'
import { ApiRequest } from './api-request.ts'

const OUTCOMES = { ok: sql`< 400`, refused: sql`between 400 and 499`, failed: sql`>= 500` }

const { list, retrieve } = verbs(ApiRequest)

export const apiRequests = resource(ApiRequest, {
  derive: deriveRequests,
  dashboard: [
    list({
      summary: 'List the latest requests',
      filters: {
        outcome: anyOf(
          oneOf(['ok', 'refused', 'failed'], 'How they ended'),
          (outcome: keyof typeof OUTCOMES) => sql<SqlBool>`status ${OUTCOMES[outcome]}`,
        ),
        method: equals(ApiRequest, 'method'),
        transport: equals(ApiRequest, 'transport'),
        operation: equals(ApiRequest, 'operation'),
        error_code: equals(ApiRequest, 'error_code'),
        token_id: filterSeveral(ApiRequest.fields.token_id, 'Only requests of these tokens', (query, ids) =>
          query.where('caller', 'in', ids),
        ),
      },
    }),
    retrieve({ summary: 'Show one request' }),
  ],
})

async function deriveRequests(rows: Row<typeof ApiRequest>[], context: Context): Promise<Derived[]> {
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
