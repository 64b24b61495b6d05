import { sql } from 'kysely'
import { type ApiError, invalid } from '../contract/declarations/errors.ts'
import type { NewRow, Noun, Row } from '../contract/declarations/noun.ts'
import type { Context } from './context.ts'
import { anyTable, insertUnlessTaken } from './records.ts'

interface UniqueOptions {
  /** The id of the row that is changed and may have the value already. */
  except?: string | undefined
  everywhere?: boolean
}

/** Throws a 422 for `field` if another row has the value in `column`. For concurrent requests, the database's unique key decides. */
export async function requireUnique(
  context: Context,
  noun: Noun,
  [column, value]: [column: string, value: string],
  field: string,
  options: UniqueOptions = {},
): Promise<void> {
  if (await isTaken(context, noun, [column, value], options)) throw taken(field)
}

/** Like `insertRow`, but throws a 422 for `field` if another row of the account has the same value in the unique `column`. */
export async function insertUnique<N extends Noun>(
  context: Context,
  noun: N,
  values: NewRow<N>,
  column: string,
  field: string,
): Promise<Row<N>> {
  const row = await insertUnlessTaken(context, noun, values, column)
  if (!row) throw taken(field)
  return row
}

function taken(field: string): ApiError {
  return invalid({ [field]: ['has already been taken'] })
}

export async function isTaken(
  context: Context,
  noun: Noun,
  value: [column: string, value: string],
  options?: UniqueOptions,
): Promise<boolean> {
  return (await findTaken(context, noun, value, options)) !== null
}

export async function findTaken(
  context: Context,
  noun: Noun,
  [column, value]: [column: string, value: string],
  { except, everywhere = false }: UniqueOptions = {},
): Promise<{ accountId: string; id: string } | null> {
  let query = anyTable(context).selectFrom(noun.plural).select(['account_id', 'id']).where(sql.ref(column), '=', value)
  if (!everywhere) query = query.where('account_id', '=', context.accountId)
  if (except !== undefined) query = query.where('id', '!=', except)
  const found = await query.executeTakeFirst()
  return found ? { accountId: String(found.account_id), id: String(found.id) } : null
}
