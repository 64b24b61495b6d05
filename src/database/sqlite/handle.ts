import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type EngineDialect, kyselyOver, type RunQuery } from '../kysely.ts'
import type { SqliteConnection } from './connection.ts'

const dialect: EngineDialect = {
  adapter: new SqliteAdapter(),
  compiler: new SqliteQueryCompiler(),
  introspect: (db) => new SqliteIntrospector(db),
}

/** Returns a Kysely that reads on a connection. */
export function readHandle<Tables>(connection: SqliteConnection): Kysely<Tables> {
  return kyselyOver(dialect, async <Row>(query: CompiledQuery) => connection.execute<Row>(query))
}

/** Returns a Kysely over `run`, which chooses the connection and the time. */
export function handleOver<Tables>(run: RunQuery): Kysely<Tables> {
  return kyselyOver(dialect, run)
}

/** Runs the queries of one transaction on the writing connection, and rejects them after its end. */
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

  /** Throws the error with which SQLite has rolled back the whole transaction by itself, if it has. */
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
