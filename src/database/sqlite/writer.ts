import { setImmediate as nextPollPhase } from 'node:timers/promises'
import { ConflictError } from '../database.ts'
import type { SqliteConnection } from './connection.ts'
import { hasCode, SQLITE_BUSY } from './errors.ts'
import { Turn } from './turn.ts'

/** Both bound how long the other requests of this process wait behind one batch. */
const BATCH_PARTS = 128
const BATCH_MS = 10

interface Ticket {
  alone: boolean
  admit(turn: Turn): void
  refuse(reason: unknown): void
}

/**
 * The queue in front of the one writing connection, first come first served. Neighbouring short turns share one transaction
 * and are told of success only after its COMMIT; a turn taken with `hold` has a transaction of its own.
 */
export class Writer {
  readonly #connection: SqliteConnection
  readonly #waiting: Ticket[] = []
  #working: Promise<void> | undefined
  #closed = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  /** Waits for a short turn, which may share its transaction with others. */
  share(): Promise<Turn> {
    return this.#enqueue(false)
  }

  /** Waits for a turn that holds the writer until it is finished. An abort while waiting rejects with its reason. */
  hold(signal?: AbortSignal): Promise<Turn> {
    return this.#enqueue(true, signal)
  }

  /** Resolves when everything in the queue is done; nothing can enter any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
  }

  #enqueue(alone: boolean, signal?: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (this.#closed) return reject(new Error('The database is closed.'))
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(ticket), 1)
        reject(signal?.reason)
      }
      const admit = (turn: Turn) => {
        signal?.removeEventListener('abort', leave)
        resolve(turn)
      }
      const ticket: Ticket = { alone, admit, refuse: reject }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(ticket)
      this.#working ??= this.#work()
    })
  }

  async #work(): Promise<void> {
    do {
      await nextPollPhase()
      const first = this.#waiting[0]
      if (!first) continue
      try {
        this.#begin()
      } catch (error) {
        for (const ticket of this.#waiting.splice(0)) ticket.refuse(error)
        continue
      }
      if (first.alone) await this.#admit()
      else await this.#batch()
    } while (this.#waiting.length > 0)
    this.#working = undefined
  }

  #begin(): void {
    try {
      this.#connection.command('begin immediate')
    } catch (error) {
      throw hasCode(error, SQLITE_BUSY)
        ? new ConflictError('Another process is writing to the database.', { cause: error })
        : error
    }
  }

  async #admit(): Promise<Turn> {
    const turn = new Turn()
    this.#waiting.shift()?.admit(turn)
    await turn.finished
    return turn
  }

  async #batch(): Promise<void> {
    const turns: Turn[] = []
    try {
      if (this.#waiting.length === 1) await this.#onlyPart(turns)
      else await this.#parts(turns)
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.command('rollback')
      for (const turn of turns) turn.settle(error as Error)
    }
    for (const turn of turns) turn.settle()
  }

  async #onlyPart(turns: Turn[]): Promise<void> {
    const turn = await this.#admit()
    turns.push(turn)
    this.#connection.command(turn.failed ? 'rollback' : 'commit')
  }

  async #parts(turns: Turn[]): Promise<void> {
    const closesAt = performance.now() + BATCH_MS
    do {
      this.#connection.command('savepoint turn')
      const turn = await this.#admit()
      turns.push(turn)
      if (turn.failed) this.#connection.command('rollback to savepoint turn')
      this.#connection.command('release savepoint turn')
    } while (this.#waiting[0]?.alone === false && turns.length < BATCH_PARTS && performance.now() < closesAt)
    this.#connection.command('commit')
  }
}
