import { sql } from 'kysely'
import type { Field, Fields } from '../contract/declarations/field.ts'
import type { Noun } from '../contract/declarations/noun.ts'
import { decode } from './columns.ts'
import type { Context } from './context.ts'
import { anyTable } from './records.ts'
import type { SortKeys } from './tombstones.ts'

/** A noun whose rows are ordered by position among their siblings, and which emits events when positions change. */
type PositionedNoun = Noun<string, Fields & { position: Field<number> }, Fields, readonly ('updated' | (string & {}))[]>

/** The column values that all siblings share, such as the same product: `{ product: 'prod_…' }`. */
export type Siblings = Record<string, string>

/** The maximum number of shifted rows that emit events, so that no request writes unlimited events. */
const SHIFTED_EVENTS = 1_000

/** The largest value of a position column, which no position reaches. */
const END = 2_147_483_647

export async function countOf(context: Context, noun: Noun, siblings: Siblings): Promise<number> {
  const found = await among(context, noun, siblings).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return found.count
}

/** Makes room for a new row at a position: the rows from that position on move down by one and emit events. */
export async function openPosition(
  context: Context,
  noun: PositionedNoun,
  siblings: Siblings,
  position: number,
): Promise<void> {
  await shift(context, noun, siblings, { first: position, last: END, by: 1 })
}

/** Closes the gap of a deleted row: the rows after its position move up by one and emit events. */
export async function closePosition(
  context: Context,
  noun: PositionedNoun,
  siblings: Siblings,
  position: number,
): Promise<void> {
  await shift(context, noun, siblings, { first: position + 1, last: END, by: -1 })
}

/** Returns the sort keys of a row to be deleted. Lists later continue after the row before it, even if that row has moved. */
export async function placeOf(context: Context, noun: Noun, siblings: Siblings, position: number): Promise<SortKeys> {
  const before = await among(context, noun, siblings)
    .select('id')
    .where('position', '=', position - 1)
    .executeTakeFirst()
  return { position: { behind: (before?.id as string | undefined) ?? null } }
}

/** Sort keys for a row whose siblings are all deleted together with it, so that no order has to be kept. */
export const FIRST_PLACE: SortKeys = { position: { behind: null } }

/**
 * Shifts the rows between the old and the new position, with events, but not the row itself. Returns the new position, at most the last.
 */
export async function movePosition(
  context: Context,
  noun: PositionedNoun,
  siblings: Siblings,
  from: number,
  wanted: number,
): Promise<number> {
  const to = Math.min(wanted, await countOf(context, noun, siblings))
  if (to > from) await shift(context, noun, siblings, { first: from + 1, last: to, by: -1 })
  if (to < from) await shift(context, noun, siblings, { first: to, last: from - 1, by: 1 })
  return to
}

interface Shift {
  first: number
  last: number
  by: 1 | -1
}

async function shift(
  context: Context,
  noun: PositionedNoun,
  siblings: Siblings,
  { first, last, by }: Shift,
): Promise<void> {
  const places = sql<boolean>`position between ${first} and ${last}`
  const raw = await among(context, noun, siblings)
    .selectAll()
    .where(places)
    .orderBy('position')
    .limit(SHIFTED_EVENTS)
    .execute()
  if (raw.length === 0) return
  const rows = raw.map((one) => decode(noun, one))
  await context.remember(noun, rows)
  let update = anyTable(context)
    .updateTable(noun.plural)
    .set({ position: sql`position + ${sql.raw(String(by))}`, updated_at: context.now })
    .where('account_id', '=', context.accountId)
    .where(places)
  for (const [column, value] of Object.entries(siblings)) update = update.where(column, '=', value)
  await update.execute()
  for (const row of rows) {
    const shifted = { ...row, position: row.position + by, updated_at: context.now }
    context.emit(noun, 'updated', shifted)
  }
}

function among(context: Context, noun: Noun, siblings: Siblings) {
  let query = anyTable(context).selectFrom(noun.plural).where('account_id', '=', context.accountId)
  for (const [column, value] of Object.entries(siblings)) query = query.where(column, '=', value)
  return query
}
