import type { InAccount } from '../context.ts'
import { deleteRowsOf, rowsOf, updateRowsOf } from '../rows-of.ts'

const IDS_PER_ROW = 1_000

/** Stores the ids of the rows that a background program processes, in their order. All ids must have the same prefix. */
export async function storeIds(
  { db, accountId }: InAccount,
  program: string,
  ids: readonly string[],
  expires_at: string | null,
): Promise<void> {
  for (let place = 0; place < ids.length; place += IDS_PER_ROW) {
    const some = packed(ids.slice(place, place + IDS_PER_ROW))
    const row = { account_id: accountId, program_id: program, place, ids: some, expires_at }
    await db.insertInto('background_rows').values(row).execute()
  }
}

export async function readIds(account: InAccount, program: string, place: number, count: number): Promise<string[]> {
  const parts = await rowsOf(account, 'background_rows')
    .select(['place', 'ids'])
    .where('program_id', '=', program)
    .where('place', '>', place - IDS_PER_ROW)
    .where('place', '<', place + count)
    .orderBy('place')
    .execute()
  const ids = parts.flatMap((part) => unpacked(part.ids))
  const start = place - (parts[0]?.place ?? 0)
  return ids.slice(start, start + count)
}

export async function removeIds(account: InAccount, program: string): Promise<void> {
  await deleteRowsOf(account, 'background_rows').where('program_id', '=', program).execute()
}

export async function keepIdsUntil(account: InAccount, program: string, expires_at: string | null): Promise<void> {
  await updateRowsOf(account, 'background_rows').set({ expires_at }).where('program_id', '=', program).execute()
}

/** Joins ids, writing their common prefix only once: `cus 01… 01…`. */
function packed(ids: readonly string[]): string {
  const [first = ''] = ids
  const start = first.lastIndexOf('_') + 1
  return [first.slice(0, start - 1), ...ids.map((id) => id.slice(start))].join(' ')
}

function unpacked(text: string): string[] {
  const [prefix, ...suffixes] = text.split(' ')
  return suffixes.map((suffix) => `${prefix}_${suffix}`)
}
