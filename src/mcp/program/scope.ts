import type { Kysely } from 'kysely'
import { ApiError } from '../../contract/declarations/errors.ts'
import {
  type Database,
  type OpenTransaction,
  type Scope,
  TransactionLostError,
  type TransactionOptions,
  type Unit,
  WriterHeldTooLongError,
} from '../../database/database.ts'
import { databaseRefusal } from '../../pipeline/database-refusal.ts'

/** A call of a program that has already ended tried to read or write: a refusal, so that no one looks for a fault. */
export class ProgramEndedError extends ApiError {
  override name = 'ProgramEndedError'

  constructor() {
    super('invalid_state', 'The program ended before this call was made; nothing was saved.')
  }
}

/** Made once: every program ends with it, and an error that is made takes note of its stack. */
const ENDED = new ProgramEndedError()

export interface ScopeOptions<Tables = unknown> {
  /** The account of the program's caller. */
  account: string
  /** One transaction for all calls; otherwise each call commits by itself. */
  together: boolean
  /** Waits for the right to write before the first call, so that no other program can get there first. */
  holdFromStart?: boolean
  /** Called in each transaction that commits by itself, after its work; a rejection undoes it. */
  confirm?: ((unit: Unit<Tables>) => Promise<void>) | undefined
}

/**
 * Where the calls of one run of a program read and write. Together: the first call begins a transaction, every write is a
 * savepoint of it, and `commit` or `rollback` decides over all. Separately: each call commits by itself.
 *
 * Once `commit` or `rollback` is called, the gate is shut before anything else happens: a call still under way can begin
 * nothing new, and what it has begun is awaited before the transaction ends. No write can land afterwards.
 */
export class ProgramScope<Tables> implements Scope<Tables> {
  readonly #database: Database<Tables>
  readonly #account: string
  readonly #confirm: ScopeOptions<Tables>['confirm']
  /** Null when each call commits by itself. */
  readonly #open: OpenTransaction<Tables> | null
  readonly #gate = new AbortController()
  readonly #takenAway = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #loss: TransactionLostError | null = null
  /** True once a write of the program was kept: in its transaction, or for good when each call commits by itself. */
  wrote = false

  constructor(database: Database<Tables>, { account, together, holdFromStart = false, confirm }: ScopeOptions<Tables>) {
    this.#database = database
    this.#account = account
    this.#confirm = confirm
    const options = { account, holdFromStart, signal: this.#gate.signal, onHeldTooLong: this.#loseWriter }
    this.#open = together ? database.program(options) : null
  }

  /** All calls are kept or undone together. */
  get together(): boolean {
    return this.#open !== null
  }

  /** It has written what a rollback would undo. */
  get holdsWrites(): boolean {
    return this.#open !== null && this.wrote
  }

  get read(): Kysely<Tables> {
    this.#gate.signal.throwIfAborted()
    return (this.#open ?? this.#database).read
  }

  transaction<Result>(
    work: (unit: Unit<Tables>) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const running = this.#open === null ? this.#alone(work, options) : this.#asSavepoint(this.#open, work)
    this.#underWay.add(running)
    const done = () => this.#underWay.delete(running)
    running.then(done, done)
    return running
  }

  /** Aborted when the writer was taken away, whatever the program is doing: it need not go on. */
  get takenAway(): AbortSignal {
    return this.#takenAway.signal
  }

  /** Why nothing of the run can be kept any more. */
  get loss(): TransactionLostError | null {
    return this.#loss
  }

  /** Notes that nothing of the run can be kept. Only the first reason counts. */
  lose(reason: TransactionLostError): void {
    this.#loss ??= reason
  }

  /** Resolves when all that was written is carried out. Rejects with TransactionLostError when nothing of it can be kept. */
  async settled(): Promise<void> {
    try {
      await this.#open?.settled()
    } catch (error) {
      if (error instanceof TransactionLostError) this.lose(error)
      throw error
    }
  }

  /** Keeps what was written. Rejects with TransactionLostError when nothing is kept. */
  async commit(): Promise<void> {
    await this.#shut()
    if (this.#loss === null) return this.#open?.commit()
    await this.#open?.rollback()
    throw this.#loss
  }

  /** Undoes what was written together. */
  async rollback(): Promise<void> {
    await this.#shut()
    await this.#open?.rollback()
  }

  async #asSavepoint<Result>(
    open: OpenTransaction<Tables>,
    work: (unit: Unit<Tables>) => Promise<Result>,
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

  async #alone<Result>(work: (unit: Unit<Tables>) => Promise<Result>, { inTurn }: TransactionOptions): Promise<Result> {
    const unlessEnded = async (unit: Unit<Tables>) => {
      // It may have waited long for the writer.
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

  readonly #loseWriter = (): void => {
    this.lose(new WriterHeldTooLongError())
    this.#takenAway.abort()
  }

  /** Shuts the gate, gives up waiting for the writer, and awaits what is under way. */
  async #shut(): Promise<void> {
    this.#gate.abort(ENDED)
    await Promise.allSettled([...this.#underWay])
  }
}

/** A call that commits by itself is refused alone: running the program again would repeat what it has kept already. */
function refusedAlone(error: unknown): never {
  throw databaseRefusal(error) ?? error
}
