import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isCompiledOnce } from '../compile-once.ts'
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

/** Returns a Kysely that reads on any connection of the pool. Queries reject with StorageError or another error of PostgreSQL. */
export function poolHandle<Tables>(pool: Pool, statementOf: StatementOf): Kysely<Tables> {
  const batcher = new ReadBatcher(pool)
  const readInBatch = <Row>(query: CompiledQuery) =>
    batcher.read(statementOf(query)).then(
      (answer) => resultOf(answer as Answer<Row>),
      () => readSafely<Row>(pool, statementOf, query),
    )
  return kyselyOver(dialect, (query) =>
    isCompiledOnce(query) ? readInBatch(query) : readSafely(pool, statementOf, query),
  )
}

type PendingRead = PromiseWithResolvers<Answer<unknown>> & { statement: Statement }

/**
 * Sends all reads of one iteration of the event loop as one batch, even those of different requests. If a read fails, all later
 * reads of the batch fail, too.
 */
class ReadBatcher {
  readonly #pool: Pool
  #pending: PendingRead[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  read(statement: Statement): Promise<Answer<unknown>> {
    const reading = { statement, ...Promise.withResolvers<Answer<unknown>>() }
    if (this.#pending.push(reading) === 1) setImmediate(() => void this.#send())
    return reading.promise
  }

  async #send(): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    let client: PoolClient | undefined
    let spent: StorageError | undefined
    try {
      client = await connect(this.#pool)
      const batch = new Batch()
      const answers = pending.map(({ statement }) => batch.add(statement))
      client.query(batch)
      for (const [index, answer] of answers.entries()) pending[index]?.resolve(answer)
      await Promise.all(answers)
    } catch (error) {
      const failure = explained(error)
      if (isSpent(failure)) spent = failure
      for (const { reject } of pending) reject(failure)
    } finally {
      client?.release(spent)
    }
  }
}

/** Retries once if the connection was lost or its prepared statement is outdated. */
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

/** Returns a Kysely over `run` and `send`, which decide on which connection and when a query runs. */
export function sessionHandle<Tables>(run: RunQuery, send: SendQuery): Kysely<Tables> {
  return kyselyOver(dialect, run, send)
}

/** Runs one statement on a connection. Rejects with StorageError or another error of PostgreSQL. */
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

export function resultOf<Row>({ rows, count }: Answer<Row>): QueryResult<Row> {
  return { rows, numAffectedRows: BigInt(count) }
}
