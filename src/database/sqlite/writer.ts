import { setImmediate as nextPollPhase } from 'node:timers/promises'
import { ConflictError, type TransactionOptions } from '../database.ts'
import { Ticket } from '../ticket.ts'
import type { AccountChanges } from './account-changes.ts'
import type { SqliteConnection } from './connection.ts'
import { hasCode, SQLITE_BUSY } from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import { HoldLimit } from './hold-limit.ts'
import { Turn } from './turn.ts'

/** Both bound how long the other requests of this process wait behind one batch. */
const BATCH_PARTS = 128
const BATCH_MS = 10
/** Between two holds everybody's short turns are served for at most this long, so that neither kind starves the other. */
const SHORT_TURNS_MS = 100
/** Bookkeeping takes its turns as one more account; no account has this id. */
const BOOKKEEPING = ''

export type WriterConnection = Pick<SqliteConnection, 'command' | 'inTransaction'>

/** What the holder of the writer wants to hear. */
export interface HoldOptions {
  /** An abort while waiting rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The writer is taken away, because others have waited too long for it: what the holder wrote is undone. */
  onTakenAway: () => void
}

/**
 * The queue in front of the one writing connection; accounts take turns. Neighbouring short turns share one transaction and
 * are told of success only after its COMMIT. A turn taken with `hold` has a transaction of its own, and is ended when it has
 * lasted too long while others wait.
 */
export class Writer {
  readonly #connection: WriterConnection
  readonly #changes: AccountChanges
  readonly #short = new FairQueue<Ticket<Turn>>()
  readonly #holds = new FairQueue<Ticket<Turn>>()
  #limit: HoldLimit | undefined
  /** When the first short turn since the last hold began. */
  #shortSince: number | undefined
  #working: Promise<void> | undefined
  #closed = false

  constructor(connection: WriterConnection, changes: AccountChanges) {
    this.#connection = connection
    this.#changes = changes
  }

  /** Waits for a short turn, which may share its transaction with others. */
  share(options: TransactionOptions = {}): Promise<Turn> {
    return this.#enqueue(this.#short, new Turn(options))
  }

  /** Waits for a turn that holds the writer until it is finished. */
  hold(account: string, { signal, onTakenAway }: HoldOptions): Promise<Turn> {
    return this.#enqueue(this.#holds, new Turn({ account }, onTakenAway), signal)
  }

  /** Resolves when everything in the queue is done; nothing can enter any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }

  get #waiting(): number {
    return this.#short.size + this.#holds.size
  }

  readonly #isAwaited = (): boolean => this.#holds.size > 0 || this.#short.some((ticket) => !ticket.admission.patient)

  #enqueue(queue: FairQueue<Ticket<Turn>>, turn: Turn, signal?: AbortSignal): Promise<Turn> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#closed) return Promise.reject(new Error('The database is closed.'))
    const account = turn.account ?? BOOKKEEPING
    const ticket = new Ticket(turn, (left) => queue.remove(account, left), signal)
    queue.add(account, ticket)
    if (!turn.patient) this.#limit?.noticeWaiting()
    this.#working ??= this.#work()
    return ticket.admitted
  }

  async #work(): Promise<void> {
    do {
      await nextPollPhase()
      if (this.#shortTurnsAreNext()) await this.#inTransaction((turns) => this.#shortTurns(turns))
      else if (this.#holds.size > 0) await this.#inTransaction((turns) => this.#hold(turns))
    } while (this.#waiting > 0)
    this.#shortSince = undefined
    this.#working = undefined
  }

  #shortTurnsAreNext(): boolean {
    if (this.#short.size === 0) return false
    this.#shortSince ??= performance.now()
    return this.#holds.size === 0 || performance.now() - this.#shortSince < SHORT_TURNS_MS
  }

  /** Every turn that `serve` has put into its argument is settled in the end, with the error if there was one. */
  async #inTransaction(serve: (turns: Turn[]) => Promise<void>): Promise<void> {
    if (!this.#begin()) return
    const turns: Turn[] = []
    try {
      await serve(turns)
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
      for (const turn of turns) turn.settle(error as Error)
    }
    for (const turn of turns) turn.settle()
  }

  /** False when no transaction can be begun: all who wait have been refused. */
  #begin(): boolean {
    try {
      this.#connection.command('begin immediate')
      return true
    } catch (error) {
      const reason = hasCode(error, SQLITE_BUSY)
        ? new ConflictError('Another process is writing to the database.', { cause: error })
        : error
      for (const queue of [this.#short, this.#holds]) while (queue.size > 0) queue.take()!.refuse(reason)
      return false
    }
  }

  async #hold(turns: Turn[]): Promise<void> {
    const turn = this.#holds.take()!.admit()
    turns.push(turn)
    this.#limit = new HoldLimit(this.#isAwaited, turn.takeAway)
    await turn.finished
    this.#limit.stop()
    this.#limit = undefined
    this.#shortSince = undefined
    this.#end(turns)
  }

  async #shortTurns(turns: Turn[]): Promise<void> {
    if (this.#short.size > 1) return this.#batch(turns)
    turns.push(await this.#shortTurn())
    this.#end(turns)
  }

  async #batch(turns: Turn[]): Promise<void> {
    const closesAt = performance.now() + BATCH_MS
    do {
      this.#connection.command('savepoint turn')
      const turn = await this.#shortTurn()
      turns.push(turn)
      if (turn.failed) this.#connection.command('rollback to savepoint turn')
      this.#connection.command('release savepoint turn')
    } while (this.#short.size > 0 && turns.length < BATCH_PARTS && performance.now() < closesAt)
    this.#commit(turns)
  }

  async #shortTurn(): Promise<Turn> {
    const turn = this.#short.take()!.admit()
    await turn.finished
    return turn
  }

  /** Ends a transaction that a single turn had to itself. */
  #end(turns: Turn[]): void {
    if (turns.some(({ failed }) => failed)) this.#connection.command('rollback')
    else this.#commit(turns)
  }

  #commit(turns: Turn[]): void {
    this.#connection.command('commit')
    for (const { account, failed } of turns) if (account !== undefined && !failed) this.#changes.note(account)
  }
}
