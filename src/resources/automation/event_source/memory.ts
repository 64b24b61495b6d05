import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** Characters that a provider may remember of a source. */
const MAX_MEMORY = 100_000

/** What the last successful poll of a source has left for the next one; null before the first. */
export async function memoryOf(context: Context, sourceId: string): Promise<string | null> {
  const kept = rowsOf(context, 'event_source_memories').where('event_source', '=', sourceId)
  return (await kept.select('memory').executeTakeFirst())?.memory ?? null
}

export async function remember({ db, accountId }: Context, sourceId: string, memory: string): Promise<void> {
  if (memory.length > MAX_MEMORY) throw new Error(`A provider asked to store ${memory.length} characters`)
  await db
    .insertInto('event_source_memories')
    .values({ account_id: accountId, event_source: sourceId, memory })
    .onConflict((known) => known.columns(['account_id', 'event_source']).doUpdateSet({ memory }))
    .execute()
}
