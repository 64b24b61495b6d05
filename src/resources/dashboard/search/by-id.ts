import { sql } from 'kysely'
import type { Noun } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { Asked } from '../../../records/search/asked.ts'

/** The rows whose ids begin as what is asked for does. */
export async function idsById(
  { db, accountId }: Context,
  nouns: readonly Noun[],
  { ids }: Asked,
  most: number,
): Promise<string[]> {
  const noun = ids && nouns.find(({ prefix }) => prefix === ids.prefix)
  if (!noun) return []
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(noun.plural)} where account_id = ${accountId} and id >= ${ids.first} and id <= ${ids.last}
    order by id limit ${sql.lit(most)}`.execute(db)
  return rows.map(({ id }) => id)
}
