import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type EngineDialect, kyselyOver, type RunQuery } from '../kysely.ts'
import { bindable } from '../parameters.ts'

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

/** Runs one compiled query. Rejects with what PostgreSQL says, or a TypeError for a parameter that SQLite cannot hold. */
export async function execute<Row>(on: Pool | PoolClient, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await on.query(query.sql, bindable(query.parameters))
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
