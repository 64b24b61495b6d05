import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type EngineDialect, kyselyOver, type RunQuery } from '../kysely.ts'
import type { SqliteConnection } from './connection.ts'

const dialect: EngineDialect = {
  adapter: new SqliteAdapter(),
  compiler: new SqliteQueryCompiler(),
  introspect: (db) => new SqliteIntrospector(db),
}

export function readHandle<Tables>(connection: SqliteConnection): Kysely<Tables> {
  return kyselyOver(dialect, async <Row>(query: CompiledQuery) => connection.execute<Row>(query))
}

/** Returns a Kysely over `run`, which decides on which connection and when a query runs. */
export function handleOver<Tables>(run: RunQuery): Kysely<Tables> {
  return kyselyOver(dialect, run)
}

/** Runs the queries of one transaction on the writing connection. After its end, queries are rejected. */
export class SqliteTransaction<Tables> {
  readonly db: Kysely<Tables>
  readonly #connection: SqliteConnection
  #ended = false
  #failure: Error | undefined

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.db = handleOver(async <Row>(query: CompiledQuery) => this.execute<Row>(query))
  }

  end(): void {
    this.#ended = true
  }

  /** Throws the error for which SQLite itself has rolled back the whole transaction, if there is one. */
  refuseLost(): void {
    if (this.#failure) throw this.#failure
  }

  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    this.refuseLost()
    if (this.#ended) throw new Error('This transaction has ended: await everything inside its work.')
    try {
      return this.#connection.execute<Row>(query)
    } catch (error) {
      if (!this.#connection.inTransaction) this.#failure = error as Error
      throw error
    }
  }
}
