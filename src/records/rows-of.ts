import type {
  Compilable,
  DeleteQueryBuilder,
  DeleteResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import { sendChange } from '../database/compile-once.ts'
import type { Tables } from '../resources/tables.ts'
import type { Context } from './context.ts'
import { anyTable } from './records.ts'

/** Tables whose rows belong to one account. */
export type AccountTable = {
  [Name in keyof Tables]: Tables[Name] extends { account_id: string } ? Name : never
}[keyof Tables]

type InAccount = Pick<Context, 'db' | 'accountId'>

// Kysely cannot infer types for a table that is a type parameter, so these three build untyped queries and cast them.

/** Selects from the rows of a table that belong to the caller's account; every query of a rule begins here. */
export function rowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): SelectQueryBuilder<Tables, Name, object> {
  const query = anyTable(account).selectFrom(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as SelectQueryBuilder<Tables, Name, object>
}

/** Updates rows of the caller's account. */
export function updateRowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): UpdateQueryBuilder<Tables, Name, Name, UpdateResult> {
  const query = anyTable(account).updateTable(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as UpdateQueryBuilder<Tables, Name, Name, UpdateResult>
}

/** Deletes rows of the caller's account. */
export function deleteRowsOf<Name extends AccountTable>(
  account: InAccount,
  table: Name,
): DeleteQueryBuilder<Tables, Name, DeleteResult> {
  const query = anyTable(account).deleteFrom(String(table)).where('account_id', '=', account.accountId)
  return query as unknown as DeleteQueryBuilder<Tables, Name, DeleteResult>
}

/** Sends a change of rows whose result nobody reads (`sendQuery`). */
export function send({ db }: Pick<InAccount, 'db'>, change: Compilable): Promise<void> {
  return sendChange(db, change)
}
