import {
  type Compilable,
  type DeleteQueryBuilder,
  type DeleteResult,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import { invalid } from '../contract/declarations/errors.ts'
import { sendChange } from '../database/compile-once.ts'
import type { Tables } from '../resources/tables.ts'
import type { InAccount } from './context.ts'
import { anyTable } from './records.ts'

export type AccountTable = {
  [Name in keyof Tables]: Tables[Name] extends { account_id: string } ? Name : never
}[keyof Tables]

// Kysely cannot infer types if the table is a type parameter, so the next three functions build untyped queries and cast them.

/** Selects from the account's rows of a table; every query of an operation begins with this. */
export function rowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): SelectQueryBuilder<Tables, Name, object> {
  const query = anyTable(account).selectFrom(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as SelectQueryBuilder<Tables, Name, object>
}

export function updateRowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): UpdateQueryBuilder<Tables, Name, Name, UpdateResult> {
  const query = anyTable(account).updateTable(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as UpdateQueryBuilder<Tables, Name, Name, UpdateResult>
}

export function deleteRowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): DeleteQueryBuilder<Tables, Name, DeleteResult> {
  const query = anyTable(account).deleteFrom(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as DeleteQueryBuilder<Tables, Name, DeleteResult>
}

/** Counts the rows that a query of `rowsOf` selects. */
export async function countRows<Name extends AccountTable>(
  rows: SelectQueryBuilder<Tables, Name, object>,
): Promise<number> {
  return (await rows.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count
}

/** Throws a 422 for the field `base` if a query of `rowsOf` selects `most` rows or more. `name` is their plural. */
export async function requireFewer<Name extends AccountTable>(
  rows: SelectQueryBuilder<Tables, Name, object>,
  most: number,
  name: string,
): Promise<void> {
  if ((await countRows(rows)) >= most)
    throw invalid({ base: [`An account has at most ${most} ${name}; delete one first`] })
}

/** Sends a query that changes rows and whose result is not needed (`sendQuery`). */
export function send({ db }: Pick<InAccount, 'db'>, change: Compilable): Promise<void> {
  return sendChange(db, change)
}
