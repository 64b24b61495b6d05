import type { Kysely } from 'kysely'
import type { Context } from './context.ts'

/** The type of a database whose table names are known only at run time, such as a noun's `plural`. */
export type AnyTables = Record<string, Record<string, unknown>>

export function anyTable(context: Pick<Context, 'db'>): Kysely<AnyTables> {
  return context.db as unknown as Kysely<AnyTables>
}
