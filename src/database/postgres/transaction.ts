import { CompiledQuery, type Kysely, type QueryResult, SelectQueryNode } from 'kysely'
import type { PoolClient } from 'pg'
import { ConflictError, OutcomeUnknownError, TransactionLostError } from '../database.ts'
import { type Answer, Batch } from './batch.ts'
import { type CommitOutcome, newCommitId, RECORD_COMMIT } from './commit-record.ts'
import { ConnectionLostError, CutCommitError, codeOf, explained, explainedCommit, isSpent } from './errors.ts'
import { resultOf, sessionHandle } from './handle.ts'
import { isStalePlan, type Statement, type StatementOf } from './statements.ts'

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNKNOWN = 'The database was lost while it committed, so it is not known whether the change was saved.'
const ENDED = 'This transaction has ended: await everything inside its work.'

/** SQLSTATE codes that only follow from an earlier error: the transaction is aborted, or the statement was never prepared. */
const AFTER_FAILURE = new Set(['25P02', '26000'])
const MAX_IN_FLIGHT = 100
/** The number of queued writes at which a `patient` session sends them without waiting for the next awaited statement. */
const MAX_QUEUED_WRITES = 40

export interface SessionParts {
  statementOf: StatementOf
  outcomeOf(commitId: string): Promise<CommitOutcome>
}

/** One SERIALIZABLE transaction on one connection. Statements are sent without waiting, and run in the order of the calls. */
export class PostgresTransaction<Tables> {
  readonly db: Kysely<Tables>
  /** The conflict that forces the transaction to be rolled back. All later statements are rejected with it. */
  conflict: ConflictError | undefined
  readonly #client: PoolClient
  readonly #statementOf: StatementOf
  readonly #outcomeOf: SessionParts['outcomeOf']
  readonly #commitId = newCommitId()
  /** Whether the transaction may have written, so that the outcome of an interrupted COMMIT matters. */
  #writes = false
  /** The error after which the connection must be closed instead of returned to the pool. */
  #spent: Error | undefined
  #last: Promise<unknown> = Promise.resolve()
  #batch: Batch | undefined
  #sending: Batch | undefined
  #unanswered = 0
  /** The number of statements that were queued so far. */
  #sent = 0
  /** The number of statements that came before the last `settleLater`. Their callers no longer wait for them. */
  #settledLater = 0
  /** The first error since the last rollback to a savepoint, which causes all errors after it. */
  #failure: { error: unknown } | undefined
  #notBegun: { error: unknown } | undefined
  /** The error with which statements are rejected after the end of the transaction. */
  #refusal: unknown

  readonly #patient: boolean

  /** A `patient` session queues its writes, and sends them with the next awaited statement or when there are `MAX_QUEUED_WRITES`. */
  constructor(client: PoolClient, { statementOf, outcomeOf }: SessionParts, { patient = false } = {}) {
    this.#patient = patient
    this.#client = client
    this.#statementOf = statementOf
    this.#outcomeOf = outcomeOf
    this.db = sessionHandle(
      <Row>(query: CompiledQuery) => this.execute<Row>(query),
      (query) => this.send(query),
    )
  }

  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#noteWrites(query)
    return resultOf(await this.#next<Row>(this.#statementOf(query)))
  }

  /** Queues a query without waiting for its result, unless too many statements are in flight. */
  async send(query: CompiledQuery): Promise<void> {
    this.#noteWrites(query)
    const sent = this.#later(this.#statementOf(query))
    if (this.#unanswered <= MAX_IN_FLIGHT) return
    this.#sendBatch()
    await sent
  }

  async settled(): Promise<void> {
    this.#sendBatch()
    if (this.#unanswered > 0) await this.#last
    if (this.#failure) throw this.#failure.error
  }

  /**
   * Lets the caller continue without waiting for the statements so far. If one of them fails later, the whole transaction fails
   * with a ConflictError.
   */
  settleLater(): void {
    if (this.#failure) throw this.#failure.error
    this.#settledLater = this.#sent
  }

  /** Begins without waiting. If that fails, nothing more is sent, because each statement would be committed separately. */
  begin(isolation: 'serializable' | 'read committed' = 'serializable'): void {
    this.command(`begin isolation level ${isolation}`).catch((error: unknown) => {
      this.#notBegun = { error }
    })
    if (this.#statementOf.first !== undefined) this.later(this.#statementOf.first)
  }

  readonly command = async (sql: string): Promise<void> => {
    const restores = sql.startsWith('rollback to savepoint ')
    // PostgreSQL skips the rest of a batch after an error, so the rollback needs a batch of its own.
    if (restores) this.#sendBatch()
    // If the savepoint cannot be created, the statements after it are rejected with the same error.
    if (sql.startsWith('savepoint ')) this.later(sql)
    else await this.#next(this.#statementOf(CompiledQuery.raw(sql)))
    if (restores) this.#failure = undefined
  }

  /** Like `command`, but without waiting. An error rejects the statements that follow. */
  later(sql: string): void {
    this.#later(this.#statementOf(CompiledQuery.raw(sql))).catch(() => {})
  }

  /**
   * Commits or rolls back; does nothing after the first call. A commit rejects if nothing was committed, and with
   * OutcomeUnknownError if that is not known. Later statements are rejected with `refusal`.
   */
  async end(how: 'commit' | 'rollback', refusal: unknown = new Error(ENDED)): Promise<void> {
    if (this.#refusal !== undefined) return
    let done = false
    let cut: CutCommitError | undefined
    try {
      const committed = how === 'commit' ? this.#commit() : undefined
      // Nothing more may be sent after this line, because the connection will serve another transaction.
      this.#refusal = refusal
      this.#sendBatch()
      await committed
      done = how === 'commit'
    } catch (error) {
      if (!(error instanceof CutCommitError)) throw error
      cut = error
    } finally {
      await this.#last
      await this.#release(done)
    }
    if (cut) await this.#requireCommitted(cut)
  }

  async #release(done: boolean): Promise<void> {
    const lost = done ? undefined : await this.#client.query('rollback').then(() => undefined, asError)
    this.#client.release(lost ?? this.#spent)
  }

  async #commit(): Promise<void> {
    if (this.#writes) this.#next(this.#statementOf(CompiledQuery.raw(RECORD_COMMIT, [this.#commitId]))).catch(() => {})
    const { command } = await this.#next(this.#statementOf(CompiledQuery.raw('commit')), explainedCommit)
    if (command === 'COMMIT') return
    // If a statement has failed outside of a savepoint, PostgreSQL responds to COMMIT with ROLLBACK, but without an error.
    throw this.#failure?.error ?? new Error('A statement of this transaction failed, so none of it was committed.')
  }

  /** Rejects unless the interrupted COMMIT took effect. */
  async #requireCommitted(cut: CutCommitError): Promise<void> {
    const outcome = this.#writes ? await this.#outcomeOf(this.#commitId) : 'undone'
    if (outcome === 'undone') throw new ConnectionLostError(cut)
    if (outcome === 'unknown') throw new OutcomeUnknownError(UNKNOWN, { cause: cut })
  }

  #noteWrites({ query }: CompiledQuery): void {
    // A `with` clause may contain a statement that writes, so such a query counts as a write.
    this.#writes ||= !SelectQueryNode.is(query) || query.with !== undefined
  }

  /** Adds a statement to the current batch. Statements that do not wait for each other share a batch. */
  #next<Row>(statement: Statement, explain = explained): Promise<Answer<Row>> {
    const answered = this.#add<Row>(statement, explain)
    this.#sendSoon()
    return answered
  }

  #later(statement: Statement): Promise<unknown> {
    const answered = this.#add(statement, explained)
    answered.catch(() => {})
    if (!this.#patient || (this.#batch?.size ?? 0) >= MAX_QUEUED_WRITES) this.#sendSoon()
    return answered
  }

  #add<Row>(statement: Statement, explain: typeof explained): Promise<Answer<Row>> {
    if (this.conflict) return Promise.reject(this.conflict)
    if (this.#notBegun) return Promise.reject(this.#notBegun.error)
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    this.#batch ??= new Batch()
    this.#unanswered++
    const number = ++this.#sent
    const answered = this.#batch.add<Row>(statement).then(
      (result) => {
        this.#unanswered--
        return result
      },
      (error) => {
        this.#unanswered--
        throw this.#asFailure(error, number, explain)
      },
    )
    this.#last = answered.catch(() => {})
    return answered
  }

  #sendSoon(): void {
    const batch = this.#batch
    if (!batch || this.#sending === batch) return
    this.#sending = batch
    process.nextTick(() => this.#batch === batch && this.#sendBatch())
  }

  #sendBatch(): void {
    const batch = this.#batch
    this.#batch = undefined
    if (batch) this.#client.query(batch)
  }

  #asFailure(error: unknown, number: number, explain: typeof explained): unknown {
    const code = codeOf(error)
    if (this.#failure && code !== undefined && AFTER_FAILURE.has(code)) return this.#failure.error
    const failure = this.#asConflict(error, code) ?? this.#asLate(explain(error), number)
    if (isSpent(failure)) this.#spent = failure
    this.#failure ??= { error: failure }
    return failure
  }

  /** Converts an error to a conflict if the caller no longer waits for the statement, so that the whole program runs again. */
  #asLate(failure: unknown, number: number): unknown {
    if (failure instanceof TransactionLostError) return failure
    if (number > this.#settledLater) return this.conflict ?? failure
    this.conflict ??= new ConflictError('A write of an earlier call failed.', { cause: failure })
    return this.conflict
  }

  #asConflict(error: unknown, code: string | undefined): ConflictError | undefined {
    const isStale = isStalePlan(error)
    if (isStale) this.#statementOf.renew?.()
    if (!isStale && code !== SERIALIZATION_FAILURE && code !== DEADLOCK_DETECTED) return undefined
    this.conflict = new ConflictError('Another transaction changed the same rows first.', { cause: error })
    return this.conflict
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
