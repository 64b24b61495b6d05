import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'

export type RunQuery = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>

/** Runs a compiled query whose result is not needed. It may resolve before the query has run; `Transaction.settled` reports errors. */
export type SendQuery = (query: CompiledQuery) => Promise<unknown>

export interface EngineDialect {
  adapter: DialectAdapter
  compiler: QueryCompiler
  introspect: Dialect['createIntrospector']
}

/** Passes every query directly to `run`, without the promises of Kysely's driver layer and without its method `transaction()`. */
export function kyselyOver<Tables>(dialect: EngineDialect, run: RunQuery, send: SendQuery = run): Kysely<Tables> {
  return new Kysely<Tables>({
    config: { dialect: asDialect(dialect) },
    dialect: asDialect(dialect),
    driver: noTransactions,
    executor: new DirectExecutor(dialect, run, send),
  })
}

/**
 * Sends a write whose result is not needed. On PostgreSQL the call does not wait for the response, so the next statement can join the
 * same batch. An error rejects the next statement or `Transaction.settled`, and rolls back the transaction like any other error.
 */
export async function sendQuery<Tables>(db: Kysely<Tables>, query: CompiledQuery): Promise<void> {
  await directExecutor(db).send(query)
}

/** Returns a Kysely on the same connection that first passes each query to `before`. */
export function watchedKysely<Tables>(db: Kysely<Tables>, before: (query: CompiledQuery) => void): Kysely<Tables> {
  const executor = directExecutor(db)
  const run: RunQuery = (query) => {
    before(query)
    return executor.executeQuery(query)
  }
  const send: SendQuery = (query) => {
    before(query)
    return executor.send(query)
  }
  return kyselyOver(executor.dialect, run, send)
}

function directExecutor<Tables>(db: Kysely<Tables>): DirectExecutor {
  const executor = db.getExecutor()
  if (!(executor instanceof DirectExecutor)) throw new Error('This is no Kysely of kyselyOver.')
  return executor
}

class DirectExecutor extends DefaultQueryExecutor {
  readonly dialect: EngineDialect
  readonly send: SendQuery
  readonly #run: RunQuery

  constructor(dialect: EngineDialect, run: RunQuery, send: SendQuery) {
    const connection = new DirectConnection(run)
    super(dialect.compiler, dialect.adapter, { provideConnection: (consumer) => consumer(connection) })
    this.dialect = dialect
    this.send = send
    this.#run = run
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }
}

class DirectConnection implements DatabaseConnection {
  readonly #run: RunQuery

  constructor(run: RunQuery) {
    this.#run = run
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run<Row>(query)
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

async function refuse(): Promise<never> {
  throw new Error('Open a transaction with Scope.transaction or Database.program, not through Kysely.')
}

const noTransactions: Driver = {
  init: refuse,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: async () => {},
}

const dialects = new WeakMap<EngineDialect, Dialect>()

function asDialect(dialect: EngineDialect): Dialect {
  const known = dialects.get(dialect)
  if (known) return known
  const made: Dialect = {
    createAdapter: () => dialect.adapter,
    createDriver: () => noTransactions,
    createIntrospector: dialect.introspect,
    createQueryCompiler: () => dialect.compiler,
  }
  dialects.set(dialect, made)
  return made
}
