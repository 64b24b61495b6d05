import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { ConflictError } from '../database.ts'
import { explained, explainedCommit } from './errors.ts'
import { execute, sessionHandle } from './handle.ts'
import type { StatementOf } from './statements.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const ENDED = 'This transaction has ended: await everything inside its work.'

/** One SERIALIZABLE transaction on one connection, which goes back to the pool at its end. */
export class PostgresSession<Tables> {
  readonly db: Kysely<Tables>
  /** Set once another transaction got there first: nothing more can be done in this one. */
  conflict: ConflictError | undefined
  readonly #client: PoolClient
  readonly #statementOf: StatementOf
  #last: Promise<unknown> = Promise.resolve()
  /** What every statement is refused with after the end. */
  #refusal: unknown

  constructor(client: PoolClient, statementOf: StatementOf) {
    this.#client = client
    this.#statementOf = statementOf
    this.db = sessionHandle(<Row>(query: CompiledQuery) => this.execute<Row>(query))
  }

  /** Runs one compiled query when those before it are done. */
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#next(async () => execute<Row>(this.#client, this.#statementOf(query)))
  }

  async begin(): Promise<void> {
    await this.command('begin isolation level serializable')
  }

  readonly command = async (sql: string): Promise<void> => {
    await this.#next(() => this.#client.query(sql))
  }

  /**
   * Commits or rolls back; a second call does nothing. A commit rejects when nothing was committed. What is asked for
   * afterwards is refused with `refusal`.
   */
  async end(how: 'commit' | 'rollback', refusal: unknown = new Error(ENDED)): Promise<void> {
    if (this.#refusal !== undefined) return
    let done = false
    try {
      if (how === 'commit') await this.#commit()
      done = how === 'commit'
    } finally {
      this.#refusal = refusal
      await this.#last
      const lost = done ? undefined : await this.#client.query('rollback').then(() => undefined, asError)
      this.#client.release(lost)
    }
  }

  async #commit(): Promise<void> {
    const committing = () =>
      this.#client.query('commit').catch((error: unknown) => {
        throw explainedCommit(error)
      })
    const { command } = await this.#next(committing)
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement had failed outside a savepoint.
    if (command !== 'COMMIT') throw new Error('A statement of this transaction failed, so none of it was committed.')
  }

  /** One statement at a time, in the order of the calls. */
  #next<Result>(statement: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() => {
      if (this.conflict) throw this.conflict
      if (this.#refusal !== undefined) throw this.#refusal
      return statement()
    })
    const told = result.catch((error) => {
      throw this.#asConflict(error)
    })
    this.#last = told.catch(() => {})
    return told
  }

  #asConflict(error: unknown): unknown {
    const code = (error as { code?: unknown }).code
    if (code !== SERIALIZATION_FAILURE && code !== DEADLOCK_DETECTED) return explained(error)
    this.conflict = new ConflictError('Another transaction changed the same rows first.', { cause: error })
    return this.conflict
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
