import type { Kysely } from 'kysely'
import { ApiError } from '../../contract/declarations/errors.ts'
import {
  type Database,
  type OpenTransaction,
  type Scope,
  type Transaction,
  TransactionLostError,
  type TransactionOptions,
  WriterHeldTooLongError,
} from '../../database/database.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'

/** Refuses a call that reads or writes after its program has ended. It is an ApiError, so it is not reported as a bug. */
export class ProgramEndedError extends ApiError {
  constructor() {
    super('invalid_state', 'The program ended before this call was made; nothing was saved.')
  }
}

/** Created only once, because every program ends with this error, and creating an error captures a stack trace. */
const ENDED = new ProgramEndedError()

export interface ScopeOptions<Tables = unknown> {
  account: string
  together: boolean
  /** Whether to acquire the writer lock before the first call, so that no other program can cause a conflict. */
  holdFromStart?: boolean
  /** Called at the end of each separately committed transaction; a rejection rolls it back. */
  confirm?: ((unit: Transaction<Tables>) => Promise<void>) | undefined
}

/**
 * The scope in which the calls of one run read and write. With `together`, the first call begins a transaction, every write is a savepoint,
 * and `commit` or `rollback` ends the transaction. Otherwise each call is committed separately. `commit` and `rollback` first refuse
 * further reads and writes and wait for those in progress, so no write can happen afterwards.
 */
export class ProgramScope<Tables> implements Scope<Tables> {
  readonly #database: Database<Tables>
  readonly #account: string
  readonly #confirm: ScopeOptions<Tables>['confirm']
  /** The open transaction; null if each call is committed separately. */
  readonly #open: OpenTransaction<Tables> | null
  readonly #gate = new AbortController()
  readonly #takenAway = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #loss: TransactionLostError | null = null
  /** Whether the program has written anything, in its transaction or in calls that are committed separately. */
  wrote = false

  constructor(database: Database<Tables>, { account, together, holdFromStart = false, confirm }: ScopeOptions<Tables>) {
    this.#database = database
    this.#account = account
    this.#confirm = confirm
    const options = { account, holdFromStart, signal: this.#gate.signal, onHeldTooLong: this.#loseWriter }
    this.#open = together ? database.program(options) : null
  }

  get together(): boolean {
    return this.#open !== null
  }

  get holdsWrites(): boolean {
    return this.#open !== null && this.wrote
  }

  get read(): Kysely<Tables> {
    this.#gate.signal.throwIfAborted()
    return (this.#open ?? this.#database).read
  }

  transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const running = this.#open === null ? this.#alone(work, options) : this.#asSavepoint(this.#open, work)
    this.#underWay.add(running)
    const done = () => this.#underWay.delete(running)
    running.then(done, done)
    return running
  }

  /** Aborted by `takeAway`, such as when the program held the writer lock for too long. The program must then be stopped. */
  get takenAway(): AbortSignal {
    return this.#takenAway.signal
  }

  get loss(): TransactionLostError | null {
    return this.#loss
  }

  /** Marks the run as impossible to commit. Only the first reason is kept. */
  lose(reason: TransactionLostError): void {
    this.#loss ??= reason
  }

  /** Resolves when all writes have been executed. Rejects with TransactionLostError if they cannot be committed. */
  async settled(): Promise<void> {
    try {
      await this.#open?.settled()
    } catch (error) {
      if (error instanceof TransactionLostError) this.lose(error)
      throw error
    }
  }

  /** Rejects with TransactionLostError if nothing was committed. */
  async commit(): Promise<void> {
    await this.#shut()
    if (this.#loss === null) return this.#open?.commit()
    await this.#open?.rollback()
    throw this.#loss
  }

  async rollback(): Promise<void> {
    await this.#shut()
    await this.#open?.rollback()
  }

  async #asSavepoint<Result>(
    open: OpenTransaction<Tables>,
    work: (unit: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result> {
    this.#gate.signal.throwIfAborted()
    try {
      const result = await open.transaction(work)
      this.wrote = true
      return result
    } catch (error) {
      if (error instanceof TransactionLostError) this.lose(error)
      throw error
    }
  }

  async #alone<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    { inTurn }: TransactionOptions,
  ): Promise<Result> {
    const unlessEnded = async (unit: Transaction<Tables>) => {
      // The transaction may have waited for the writer lock until after the program's end.
      this.#gate.signal.throwIfAborted()
      const result = await work(unit)
      await this.#confirm?.(unit)
      return result
    }
    const options = { account: this.#account, inTurn }
    const result = await this.#database.transaction(unlessEnded, options).catch(refusedAlone)
    this.wrote = true
    return result
  }

  readonly #loseWriter = (): void => this.takeAway(new WriterHeldTooLongError())

  /** Makes the run impossible to commit, and stops its program. */
  takeAway(reason: TransactionLostError): void {
    this.lose(reason)
    this.#takenAway.abort()
  }

  /** Refuses further work, stops waiting for the writer lock, and waits for the work in progress. */
  async #shut(): Promise<void> {
    this.#gate.abort(ENDED)
    await Promise.allSettled([...this.#underWay])
  }
}

/** Refuses the call after a database error. Running the program again would repeat the calls that are already committed. */
function refusedAlone(error: unknown): never {
  throw databaseRefusal(error) ?? error
}
