import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type EngineDialect, kyselyOver, type RunQuery } from '../kysely.ts'
import type { SqliteConnection } from './connection.ts'

const dialect: EngineDialect = {
  adapter: new SqliteAdapter(),
  compiler: new SqliteQueryCompiler(),
  introspect: (db) => new SqliteIntrospector(db),
}

/** Kysely over a connection for as long as that is open; for reading. */
export function readHandle<Tables>(connection: SqliteConnection): Kysely<Tables> {
  return kyselyOver(dialect, async <Row>(query: CompiledQuery) => connection.execute<Row>(query))
}

/** Kysely over `run`, which decides on which connection and when. */
export function handleOver<Tables>(run: RunQuery): Kysely<Tables> {
  return kyselyOver(dialect, run)
}

/** What runs inside one transaction of the writer: it refuses everything after that has ended. */
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

  /** Throws the error with which SQLite has ended the whole transaction early, where it did: nothing can be kept. */
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
