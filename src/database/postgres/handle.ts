import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { StorageError } from '../database.ts'
import { type EngineDialect, kyselyOver, type RunQuery, type SendQuery } from '../kysely.ts'
import { type Answer, Batch } from './batch.ts'
import { ConnectionLostError, explained, isSpent } from './errors.ts'
import { connect } from './pool.ts'
import { isStalePlan, type Statement, type StatementOf } from './statements.ts'

const dialect: EngineDialect = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
}

/** Kysely over any connection of the pool; for reading. Rejects with StorageError, or with what else PostgreSQL says. */
export function poolHandle<Tables>(pool: Pool, statementOf: StatementOf): Kysely<Tables> {
  return kyselyOver(dialect, (query) => readSafely(pool, statementOf, query))
}

/** Reads on a connection of the pool; once more where that turns out to have been cut, or knows a table as it was. */
async function readSafely<Row>(pool: Pool, statementOf: StatementOf, query: CompiledQuery): Promise<QueryResult<Row>> {
  try {
    return await read<Row>(pool, statementOf(query))
  } catch (error) {
    const isStale = isStalePlan(error)
    if (!isStale && !(error instanceof ConnectionLostError)) throw error
    if (isStale) statementOf.renew?.()
    return read<Row>(pool, statementOf(query))
  }
}

async function read<Row>(pool: Pool, statement: Statement): Promise<QueryResult<Row>> {
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
export async function execute<Row>(on: PoolClient, statement: Statement): Promise<QueryResult<Row>> {
  const batch = new Batch()
  const answered = batch.add<Row>(statement)
  on.query(batch)
  try {
    return resultOf(await answered)
  } catch (error) {
    throw explained(error)
  }
}

/** An answer as Kysely wants it. */
export function resultOf<Row>({ rows, count }: Answer<Row>): QueryResult<Row> {
  return { rows, numAffectedRows: BigInt(count) }
}
