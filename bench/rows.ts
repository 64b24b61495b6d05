import { anyTable } from '../src/records/records.ts'
import type { Shop } from '../test/support/shop.ts'

const BATCH = 500

export function secondsAgo(ms: number): string {
  return new Date(Date.now() - ms).toISOString().replace(/\.\d+/, '')
}

export function rowOf({ db }: Shop, table: string, id: string): Promise<Record<string, unknown>> {
  return anyTable({ db }).selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export async function insertRows({ running }: Shop, table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH)
    await running.app.database.transaction(({ db }) =>
      anyTable({ db })
        .insertInto(table)
        .values(rows.slice(start, start + BATCH) as never)
        .execute(),
    )
}
