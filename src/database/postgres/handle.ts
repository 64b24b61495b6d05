import type { Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { StorageError } from '../database.ts'
import { type EngineDialect, kyselyOver, type RunQuery, type SendQuery } from '../kysely.ts'
import { ConnectionLostError, explained, isSpent } from './errors.ts'
import { connect } from './pool.ts'
import type { StatementOf } from './statements.ts'

const dialect: EngineDialect = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
}

/** Kysely over any connection of the pool; for reading. */
export function poolHandle<Tables>(pool: Pool, statementOf: StatementOf): Kysely<Tables> {
  return kyselyOver(dialect, (query) => readOnce(pool, statementOf(query)))
}

/** Reads on a connection of the pool; once more where that turns out to have been cut. */
async function readOnce<Row>(pool: Pool, statement: ReturnType<StatementOf>): Promise<QueryResult<Row>> {
  try {
    return await read<Row>(pool, statement)
  } catch (error) {
    if (!(error instanceof ConnectionLostError)) throw error
    return read<Row>(pool, statement)
  }
}

async function read<Row>(pool: Pool, statement: ReturnType<StatementOf>): Promise<QueryResult<Row>> {
  const client = await connect(pool)
  let spent: StorageError | undefined
  try {
    return await execute<Row>(client, statement)
  } catch (error) {
    if (isSpent(error)) spent = error
    throw error
  } finally {
    client.release(spent)
  }
}

/** Kysely over `run` and `send`, which decide on which connection and when. */
export function sessionHandle<Tables>(run: RunQuery, send: SendQuery): Kysely<Tables> {
  return kyselyOver(dialect, run, send)
}

/** Runs one statement. Rejects with StorageError, or with what else PostgreSQL says. */
export async function execute<Row>(on: PoolClient, statement: ReturnType<StatementOf>): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await on.query(statement).catch((error: unknown) => {
    throw explained(error)
  })
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
