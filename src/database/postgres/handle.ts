import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool } from 'pg'
import { type EngineDialect, kyselyOver, type RunQuery, type SendQuery } from '../kysely.ts'
import { type Answer, Batch } from './batch.ts'
import { explained } from './errors.ts'
import { connect } from './pool.ts'
import { isStalePlan, type Statement, type StatementOf } from './statements.ts'

const dialect: EngineDialect = {
  adapter: new PostgresAdapter(),
  compiler: new PostgresQueryCompiler(),
  introspect: (db) => new PostgresIntrospector(db),
}

/** Kysely over any connection of the pool; for reading. Rejects with StorageError, or with what else PostgreSQL says. */
export function poolHandle<Tables>(pool: Pool, statementOf: StatementOf): Kysely<Tables> {
  return kyselyOver(dialect, <Row>(query: CompiledQuery) =>
    read<Row>(pool, statementOf(query)).catch((error: unknown) => {
      if (!isStalePlan(error)) throw error
      statementOf.renew?.()
      return read<Row>(pool, statementOf(query))
    }),
  )
}

async function read<Row>(pool: Pool, statement: Statement): Promise<QueryResult<Row>> {
  const client = await connect(pool)
  const batch = new Batch()
  const answered = batch.add<Row>(statement)
  client.query(batch)
  try {
    const answer = await answered
    client.release()
    return resultOf(answer)
  } catch (error) {
    const explanation = explained(error)
    client.release(explanation !== error)
    throw explanation
  }
}

/** Kysely over `run` and `send`, which decide on which connection and when. */
export function sessionHandle<Tables>(run: RunQuery, send: SendQuery): Kysely<Tables> {
  return kyselyOver(dialect, run, send)
}

/** An answer as Kysely wants it. */
export function resultOf<Row>({ rows, count }: Answer<Row>): QueryResult<Row> {
  return { rows, numAffectedRows: BigInt(count) }
}
