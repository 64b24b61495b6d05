import { sql } from 'kysely'
import type { Noun } from '../contract/noun.ts'
import type { Context } from './context.ts'
import { anyTable } from './records.ts'
import type { SortKeys } from './tombstones.ts'

/** The rows among which a position counts: those of one parent, `{ product: 'prod_…' }`. */
export type Siblings = Record<string, string>

export async function countOf(context: Context, noun: Noun, siblings: Siblings): Promise<number> {
  const found = await among(context, noun, siblings).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(found.count)
}

/** Makes room for a new row at a position; rows from there on move down by one. */
export async function openPosition(context: Context, noun: Noun, siblings: Siblings, position: number): Promise<void> {
  await shift(context, noun, siblings, position, Number.MAX_SAFE_INTEGER, 1)
}

/** Closes the gap that a deleted row leaves. */
export async function closePosition(context: Context, noun: Noun, siblings: Siblings, position: number): Promise<void> {
  await shift(context, noun, siblings, position + 1, Number.MAX_SAFE_INTEGER, -1)
}

/** Sort keys of a row about to be deleted: lists go on behind the row before it, wherever that is by then. */
export async function placeOf(context: Context, noun: Noun, siblings: Siblings, position: number): Promise<SortKeys> {
  const before = await among(context, noun, siblings)
    .select('id')
    .where('position', '=', position - 1)
    .executeTakeFirst()
  return { position: { behind: (before?.id as string | undefined) ?? null } }
}

/** Sort keys of a row that goes together with all of its siblings. */
export const FIRST_PLACE: SortKeys = { position: { behind: null } }

/** Shifts what lies between the old and the new place; the moved row itself is the caller's to write. Returns its place. */
export async function movePosition(
  context: Context,
  noun: Noun,
  siblings: Siblings,
  from: number,
  wanted: number,
): Promise<number> {
  const to = Math.min(wanted, await countOf(context, noun, siblings))
  if (to > from) await shift(context, noun, siblings, from + 1, to, -1)
  if (to < from) await shift(context, noun, siblings, to, from - 1, 1)
  return to
}

function among(context: Context, noun: Noun, siblings: Siblings) {
  let query = anyTable(context).selectFrom(noun.plural).where('account_id', '=', context.accountId)
  for (const [column, value] of Object.entries(siblings)) query = query.where(column, '=', value)
  return query
}

async function shift(
  context: Context,
  noun: Noun,
  siblings: Siblings,
  first: number,
  last: number,
  by: 1 | -1,
): Promise<void> {
  let update = anyTable(context)
    .updateTable(noun.plural)
    .set({ position: sql`position + ${sql.raw(String(by))}` })
  update = update.where('account_id', '=', context.accountId).where('position', '>=', first)
  if (last !== Number.MAX_SAFE_INTEGER) update = update.where('position', '<=', last)
  for (const [column, value] of Object.entries(siblings)) update = update.where(column, '=', value)
  await update.execute()
}
