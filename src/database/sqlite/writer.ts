import { setTimeout as delay, setImmediate as nextPollPhase } from 'node:timers/promises'
import { FairQueue } from '../../concurrency/fair-queue.ts'
import { Ticket } from '../../concurrency/ticket.ts'
import { ConflictError, type TransactionOptions, type WriterWatch } from '../database.ts'
import type { AccountChanges } from './account-changes.ts'
import type { SqliteConnection } from './connection.ts'
import { hasCode, SQLITE_BUSY } from './errors.ts'
import { WriterLease } from './writer-lease.ts'

/** The limits of one batch of short transactions. They bound how long the other requests of this process wait for it. */
const BATCH_PARTS = 512
const BATCH_MS = 40
/** The maximum time for which short transactions run between two programs, so that neither kind delays the other forever. */
const SHORT_TURNS_MS = 100
/** The queue key of transactions without an account. They take turns with accounts; no account has this id. */
const BOOKKEEPING = ''
/** The pause between two attempts to lock the database while another process holds the lock. The event loop continues meanwhile. */
const LOCK_POLL_MS = 2
/** How long a program that computes between its writes may delay the writes of others. */
const LONGEST_HOLD_MS = 1_000

export type WriterConnection = Pick<SqliteConnection, 'command' | 'inTransaction'>

export interface HoldOptions {
  /** An abort while waiting rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Called when the lock is taken away because others have waited too long. The writes of the holder are rolled back. */
  onTakenAway: () => void
}

export interface WriterOptions {
  /** Called before each transaction. Throws if the files of the database have disappeared, so that writes would be lost. */
  beforeBegin?: () => void
  /** Called after each commit. Throws if the files of the database have disappeared, so that the writes may be lost. */
  afterCommit?: () => void
  /** How long to wait while another process has locked the database. */
  lockWaitMs?: number
  longestHoldMs?: number
  watch?: WriterWatch | undefined
}

/**
 * The queue for the only writing connection, in which accounts take turns. Consecutive short uses of the connection share one transaction
 * and succeed only after its COMMIT. A use that begins with `hold` has its own transaction, and is ended if it takes too long while
 * others wait.
 */
export class Writer {
  readonly #connection: WriterConnection
  readonly #changes: AccountChanges
  readonly #options: Required<Omit<WriterOptions, 'watch'>>
  readonly #watch: WriterWatch | undefined
  readonly #short = new FairQueue<Ticket<WriterLease>>()
  readonly #holds = new FairQueue<Ticket<WriterLease>>()
  #limit: HoldLimit | undefined
  #shortSince: number | undefined
  #working: Promise<void> | undefined
  #between: (() => void)[] = []
  #closed = false

  constructor(connection: WriterConnection, changes: AccountChanges, options: WriterOptions = {}) {
    this.#connection = connection
    this.#changes = changes
    const { watch, ...others } = options
    this.#options = { ...NO_CHECKS, lockWaitMs: 0, longestHoldMs: LONGEST_HOLD_MS, ...others }
    this.#watch = watch
  }

  /** Waits until a short use of the connection may begin. It may share its transaction with other short uses. */
  share(options: TransactionOptions = {}): Promise<WriterLease> {
    return this.#enqueue(this.#short, new WriterLease(options))
  }

  /** Waits until a use with its own transaction may begin. It holds the writer lock until its end. */
  hold(account: string, { signal, onTakenAway }: HoldOptions): Promise<WriterLease> {
    return this.#enqueue(this.#holds, new WriterLease({ account }, onTakenAway), signal)
  }

  /** Runs `work`, which must not throw, as soon as no transaction is open. */
  betweenTurns(work: () => void): void {
    this.#between.push(work)
    this.#limit?.noticeWaiting()
    this.#working ??= this.#work()
  }

  /** Rejects new requests for the lock. Resolves when the queue is empty. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }

  get waiting(): number {
    return this.#short.size + this.#holds.size
  }

  readonly #isAwaited = (): boolean =>
    this.#between.length + this.#holds.size > 0 || this.#short.some((ticket) => !ticket.admission.lowPriority)

  #enqueue(queue: FairQueue<Ticket<WriterLease>>, turn: WriterLease, signal?: AbortSignal): Promise<WriterLease> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#closed) return Promise.reject(new Error('The database is closed.'))
    const account = turn.account ?? BOOKKEEPING
    const ticket = new Ticket(turn, (left) => queue.remove(account, left), signal)
    queue.add(account, ticket)
    if (this.#watch) this.#watchWait(queue === this.#short ? 'short' : 'program', ticket)
    if (!turn.lowPriority) this.#limit?.noticeWaiting()
    this.#working ??= this.#work()
    return ticket.admitted
  }

  #watchWait(kind: 'short' | 'program', { admitted }: Ticket<WriterLease>): void {
    const since = performance.now()
    admitted.then(
      () => this.#watch?.waited(kind, performance.now() - since),
      () => {},
    )
  }

  /** Serves the queue until it is empty. Never rejects: errors are reported to the uses that they affect. */
  async #work(): Promise<void> {
    do {
      await nextPollPhase()
      for (const work of this.#between.splice(0)) work()
      if (await this.#begun()) await this.#transaction()
    } while (this.waiting + this.#between.length > 0)
    this.#shortSince = undefined
    this.#working = undefined
  }

  /** Begins a transaction. Returns false if no one waits, or if the transaction could not begin and all waiting uses were rejected. */
  async #begun(): Promise<boolean> {
    const until = performance.now() + this.#options.lockWaitMs
    while (this.waiting > 0) {
      try {
        this.#undo()
        this.#options.beforeBegin()
        this.#connection.command('begin immediate')
        return true
      } catch (error) {
        if (!hasCode(error, SQLITE_BUSY)) this.#refuseAll(error)
        else if (performance.now() >= until) this.#refuseAll(lockedByAnother(error))
      }
      if (this.waiting > 0) await delay(LOCK_POLL_MS)
    }
    return false
  }

  #refuseAll(reason: unknown): void {
    for (const queue of [this.#short, this.#holds]) while (queue.size > 0) queue.take()!.refuse(reason)
  }

  async #transaction(): Promise<void> {
    const turns: WriterLease[] = []
    let failure: Error | undefined
    const began = performance.now()
    const isShort = this.#shortTurnsAreNext()
    try {
      await (isShort ? this.#shortTurns(turns) : this.#hold(turns))
    } catch (error) {
      failure = error as Error
    }
    try {
      this.#undo()
    } catch {
      // The next call of `#begun` tries again.
    }
    for (const turn of turns) turn.settle(failure)
    this.#watch?.held(isShort ? 'short' : 'program', performance.now() - began)
  }

  #shortTurnsAreNext(): boolean {
    if (this.#short.size === 0) return false
    this.#shortSince ??= performance.now()
    return this.#holds.size === 0 || performance.now() - this.#shortSince < SHORT_TURNS_MS
  }

  async #hold(turns: WriterLease[]): Promise<void> {
    const turn = this.#holds.take()?.admit()
    if (!turn) return
    turns.push(turn)
    this.#limit = new HoldLimit(this.#isAwaited, turn.takeAway, this.#options.longestHoldMs)
    await turn.finished
    this.#limit.stop()
    this.#limit = undefined
    this.#shortSince = undefined
    if (!turn.failed) this.#commit(turns)
  }

  async #shortTurns(turns: WriterLease[]): Promise<void> {
    if (this.#short.size > 1) return this.#batch(turns)
    const turn = await this.#shortTurn(turns)
    if (turn && !turn.failed) this.#commit(turns)
  }

  async #batch(turns: WriterLease[]): Promise<void> {
    const closesAt = performance.now() + BATCH_MS
    do {
      this.#connection.command('savepoint turn')
      const turn = await this.#shortTurn(turns)
      // SQLite itself has rolled back the whole batch, for example because the disk is full.
      if (!this.#connection.inTransaction) throw turn?.failure ?? new Error('The transaction was ended by SQLite.')
      if (turn?.failed) this.#connection.command('rollback to savepoint turn')
      this.#connection.command('release savepoint turn')
    } while (this.#short.size > 0 && turns.length < BATCH_PARTS && performance.now() < closesAt)
    this.#commit(turns)
  }

  async #shortTurn(turns: WriterLease[]): Promise<WriterLease | undefined> {
    const turn = this.#short.take()?.admit()
    if (turn) turns.push(turn)
    await turn?.finished
    return turn
  }

  #commit(turns: WriterLease[]): void {
    this.#connection.command('commit')
    for (const { account, failed } of turns) if (account !== undefined && !failed) this.#changes.note(account)
    this.#options.afterCommit()
  }

  #undo(): void {
    if (this.#connection.inTransaction) this.#connection.command('rollback')
  }
}

const NO_CHECKS = { beforeBegin: () => {}, afterCommit: () => {} }

function lockedByAnother(cause: unknown): ConflictError {
  return new ConflictError('Another process is writing to the database.', { cause })
}

/** Ends a program's hold of the writer lock if it takes too long while others wait. */
class HoldLimit {
  readonly #isAwaited: () => boolean
  readonly #end: () => void
  readonly #until: number
  #timer: NodeJS.Timeout | undefined

  constructor(isAwaited: () => boolean, end: () => void, longestMs: number) {
    this.#isAwaited = isAwaited
    this.#end = end
    this.#until = performance.now() + longestMs
    this.noticeWaiting()
  }

  /** Call this method whenever a caller starts to wait for the writer lock. */
  noticeWaiting(): void {
    if (this.#timer || !this.#isAwaited()) return
    this.#timer = setTimeout(() => this.#check(), Math.max(0, this.#until - performance.now()))
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #check(): void {
    this.#timer = undefined
    if (this.#isAwaited()) this.#end()
  }
}
