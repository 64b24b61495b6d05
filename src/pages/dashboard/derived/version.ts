import { etagOf, namesTag } from '../../parts/etag.ts'
import { rowsIn, type Values } from '../kit/ask.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { Visit } from '../kit/visit.ts'

/** What tells the same rows from others, whether they are shown whole or not. */
export function versionOf(rows: readonly Values[]): string {
  return etagOf(
    JSON.stringify(rows.map(({ id, updated_at, created_at, status }) => [id, updated_at ?? created_at, status])),
  )
}

/** Whether the rows of a page are still those that a browser shows: 304, without a page being made. */
export async function latestAnswer(visit: Visit, { list }: Manageable, query: Values): Promise<Response> {
  const { rows } = rowsIn(await visit.askAny('GET', list!.path, { query }))
  const version = versionOf(rows)
  const isSame = namesTag(visit.incoming.header('if-none-match'), version)
  return new Response(null, {
    status: isSame ? 304 : 200,
    headers: { ETag: version, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  })
}
