import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type EngineDialect, kyselyOver, type RunQuery, type SendQuery } from '../kysely.ts'
import { explained } from './errors.ts'
import { isStalePlan, type StatementOf } from './statements.ts'

const dialect: EngineDialect = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
}

/** Kysely over any connection of the pool; for reading. */
export function poolHandle<Tables>(pool: Pool, statementOf: StatementOf): Kysely<Tables> {
  return kyselyOver(dialect, <Row>(query: CompiledQuery) =>
    execute<Row>(pool, statementOf(query)).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error
      statementOf.renew?.()
      return execute<Row>(pool, statementOf(query))
    }),
  )
}

/** Kysely over `run` and `send`, which decide on which connection and when. */
export function sessionHandle<Tables>(run: RunQuery, send: SendQuery): Kysely<Tables> {
  return kyselyOver(dialect, run, send)
}

/** Runs one statement. Rejects with StorageError, or with what else PostgreSQL says. */
export async function execute<Row>(
  on: Pool | PoolClient,
  statement: ReturnType<StatementOf>,
): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await on.query(statement).catch((error: unknown) => {
    throw explained(error)
  })
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
