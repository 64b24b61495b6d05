import type { Kysely } from 'kysely'
import type { Context } from './context.ts'

/** The typed tables are the rules' own; these are whichever tables nouns name. */
export type AnyTables = Record<string, Record<string, unknown>>

export function anyTable(context: Pick<Context, 'db'>): Kysely<AnyTables> {
  return context.db as unknown as Kysely<AnyTables>
}
