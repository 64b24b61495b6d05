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

/** What PostgreSQL says to all that follows a failed statement; a statement whose preparation failed is then unknown, too. */
const AFTER_FAILURE = new Set(['25P02', '26000'])
/** So many statements may be on their way without an answer. */
const SENT_AHEAD = 100
/** A program's statements whose answers nobody waits for are sent when there are so many, or with one whose answer somebody waits for. */
const TOGETHER = 40

/** What sessions of one database share. */
export interface SessionParts {
  statementOf: StatementOf
  /** Finds out what came of a commit that was cut off. */
  outcomeOf(commitId: string): Promise<CommitOutcome>
}

/**
 * One SERIALIZABLE transaction on one connection, which goes back to the pool at its end. Statements are sent when they are asked
 * for, and carried out in that order; whoever does not need an answer does not wait for it.
 */
export class PostgresTransaction<Tables> {
  readonly db: Kysely<Tables>
  /** Set once another transaction got there first: nothing more can be done in this one. */
  conflict: ConflictError | undefined
  readonly #client: PoolClient
  readonly #statementOf: StatementOf
  readonly #outcomeOf: SessionParts['outcomeOf']
  readonly #commitId = newCommitId()
  /** Something may have been written, so that it matters what came of a commit. */
  #writes = false
  /** The connection cannot be used by anybody else. */
  #spent: Error | undefined
  #last: Promise<unknown> = Promise.resolve()
  #batch: Batch | undefined
  /** The batch that is sent in the next moment. */
  #sending: Batch | undefined
  #unanswered = 0
  /** Statements so far, and how many of them nobody will look at any more. */
  #sent = 0
  #settledLater = 0
  /** What the first statement failed with, until a savepoint before it is restored: the causes of those after it. */
  #failure: { error: unknown } | undefined
  #notBegun: { error: unknown } | undefined
  /** What every statement is refused with after the end. */
  #refusal: unknown

  readonly #patient: boolean

  /** A `patient` session sends its writes only with the next statement whose answer is awaited. */
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

  /** Runs one compiled query after those before it. */
  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#noteWrites(query)
    return resultOf(await this.#next<Row>(this.#statementOf(query)))
  }

  /** As `execute`, but resolves when the query is on its way. */
  async send(query: CompiledQuery): Promise<void> {
    this.#noteWrites(query)
    const sent = this.#later(this.#statementOf(query))
    if (this.#unanswered <= SENT_AHEAD) return
    this.#sendBatch()
    await sent
  }

  /** Waits for the statements that were sent. Rejects with the failure of the first that was not carried out. */
  async settled(): Promise<void> {
    this.#sendBatch()
    if (this.#unanswered > 0) await this.#last
    if (this.#failure) throw this.#failure.error
  }

  /** Goes on without waiting for what was sent: if any of it fails, the transaction is lost to a conflict. */
  settleLater(): void {
    if (this.#failure) throw this.#failure.error
    this.#settledLater = this.#sent
  }

  /** Need not be awaited. After a failure nothing more is sent: it would be carried out, each statement by itself. */
  begin(): void {
    this.command('begin isolation level serializable').catch((error: unknown) => {
      this.#notBegun = { error }
    })
    if (this.#statementOf.first !== undefined) this.later(this.#statementOf.first)
  }

  readonly command = async (sql: string): Promise<void> => {
    const restores = sql.startsWith('rollback to savepoint ')
    // What follows a failure in a batch is not carried out.
    if (restores) this.#sendBatch()
    // A savepoint that could not be made is the failure of what follows.
    if (sql.startsWith('savepoint ')) this.later(sql)
    else await this.#next(this.#statementOf(CompiledQuery.raw(sql)))
    if (restores) this.#failure = undefined
  }

  /** As `command`, without waiting: a failure rejects what follows. */
  later(sql: string): void {
    this.#later(this.#statementOf(CompiledQuery.raw(sql))).catch(() => {})
  }

  /**
   * Commits or rolls back; a second call does nothing. A commit rejects when nothing was committed, and with OutcomeUnknownError when
   * that cannot be found out. Later statements are rejected with `refusal`.
   */
  async end(how: 'commit' | 'rollback', refusal: unknown = new Error(ENDED)): Promise<void> {
    if (this.#refusal !== undefined) return
    let done = false
    let cut: CutCommitError | undefined
    try {
      const committed = how === 'commit' ? this.#commit() : undefined
      // Nothing more may be sent: what follows on this connection is another transaction.
      this.#refusal = refusal
      this.#sendBatch()
      await committed
      done = how === 'commit'
    } catch (error) {
      if (!(error instanceof CutCommitError)) throw error
      cut = error
    } finally {
      await this.#last
      await this.#giveBack(done)
    }
    if (cut) await this.#findOut(cut)
  }

  async #giveBack(done: boolean): Promise<void> {
    const lost = done ? undefined : await this.#client.query('rollback').then(() => undefined, asError)
    this.#client.release(lost ?? this.#spent)
  }

  async #commit(): Promise<void> {
    if (this.#writes) this.#next(this.#statementOf(CompiledQuery.raw(RECORD_COMMIT, [this.#commitId]))).catch(() => {})
    const { command } = await this.#next(this.#statementOf(CompiledQuery.raw('commit')), explainedCommit)
    if (command === 'COMMIT') return
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, when a statement had failed outside a savepoint.
    throw this.#failure?.error ?? new Error('A statement of this transaction failed, so none of it was committed.')
  }

  /** Resolves when a commit that was cut off has been carried out. */
  async #findOut(cut: CutCommitError): Promise<void> {
    const outcome = this.#writes ? await this.#outcomeOf(this.#commitId) : 'undone'
    if (outcome === 'undone') throw new ConnectionLostError(cut)
    if (outcome === 'unknown') throw new OutcomeUnknownError(UNKNOWN, { cause: cut })
  }

  #noteWrites({ query }: CompiledQuery): void {
    // A `with` may hold a statement that writes.
    this.#writes ||= !SelectQueryNode.is(query) || query.with !== undefined
  }

  /** Adds a statement to those of earlier calls. What is asked for in one go, without waiting for an answer, is sent in one piece. */
  #next<Row>(statement: Statement, explain = explained): Promise<Answer<Row>> {
    const answered = this.#add<Row>(statement, explain)
    this.#sendSoon()
    return answered
  }

  /** As `#next`, where nobody waits for the answer. */
  #later(statement: Statement): Promise<unknown> {
    const answered = this.#add(statement, explained)
    answered.catch(() => {})
    if (!this.#patient || (this.#batch?.size ?? 0) >= TOGETHER) this.#sendSoon()
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

  /** What failed in a call that has been answered already can only be put right by doing all of it again. */
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
