import { rememberedOf } from '../database/remembered.ts'
import type { Tables } from '../resources/tables.ts'
import type { Context } from './context.ts'

interface Question {
  /** Says with its values which query it is: the same name is the same query. */
  name: string
  /** All tables that it reads. */
  tables: readonly (keyof Tables & string)[]
}

/**
 * Reads what a transaction may ask for again, once as long as it does not write to the tables. What is asked for ahead of its use, together
 * with other things, need not be waited for then.
 */
export function readOnce<Value>(
  { db }: Pick<Context, 'db'>,
  { name, tables }: Question,
  read: () => Promise<Value>,
): Promise<Value> {
  const remembered = rememberedOf(db)
  const known = remembered?.fact(name) as Promise<Value> | undefined
  if (known) return known
  const found = read()
  remembered?.putFact(name, tables, found)
  return found
}

/** Notes what `readOnce` would find, where a rule knows it already. */
export function knowing<Value>({ db }: Pick<Context, 'db'>, { name, tables }: Question, value: Value): void {
  rememberedOf(db)?.putFact(name, tables, Promise.resolve(value))
}

/** Whether the answer is known, so that to ask costs nothing. */
export function isKnown({ db }: Pick<Context, 'db'>, { name }: Question): boolean {
  return rememberedOf(db)?.fact(name) !== undefined
}

/** Sends a change of a table that changes the answer to one of all questions about it; to be noted by `knowing` afterwards. */
export function changingOnly<Result>({ db }: Pick<Context, 'db'>, { name }: Question, send: () => Result): Result {
  const remembered = rememberedOf(db)
  return remembered ? remembered.changing([name], send) : send()
}

/** Whether rows that were read or written before are remembered, so that to find them again costs nothing. */
export function isRemembering({ db }: Pick<Context, 'db'>): boolean {
  return rememberedOf(db) !== undefined
}
