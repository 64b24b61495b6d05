import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type EngineDialect, kyselyOver, type RunQuery } from '../kysely.ts'
import { type Bindable, bindable } from '../parameters.ts'
import { explained } from './errors.ts'

const dialect: EngineDialect = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
}

/** Kysely over any connection of the pool; for reading. */
export function poolHandle<Tables>(pool: Pool): Kysely<Tables> {
  return kyselyOver(dialect, (query) => execute(pool, query))
}

/** Kysely over `run`, which decides on which connection and when. */
export function sessionHandle<Tables>(run: RunQuery): Kysely<Tables> {
  return kyselyOver(dialect, run)
}

/**
 * Runs one compiled query. Rejects with StorageError, with what else PostgreSQL says, or with a TypeError for a parameter that
 * SQLite cannot hold.
 */
export async function execute<Row>(on: Pool | PoolClient, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await on.query(statementOf(query)).catch((error: unknown) => {
    throw explained(error)
  })
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}

/** Statements that each connection keeps prepared; a query text made at run time must not grow its memory without end. */
const PREPARED = 500
const names = new Map<string, string>()

/** Named, so that a connection parses and plans it the first time only. */
function statementOf({ sql, parameters }: CompiledQuery): { name?: string; text: string; values: Bindable[] } {
  const values = bindable(parameters)
  let name = names.get(sql)
  if (name === undefined && names.size < PREPARED) {
    name = `s${names.size}`
    names.set(sql, name)
  }
  return { ...(name !== undefined && { name }), text: sql, values }
}
