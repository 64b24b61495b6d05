import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Pool } from 'pg'
import type { Leave, Places } from '../../concurrency/places.ts'
import type { ProgramOptions } from '../database.ts'
import { endedError, type ProgramConnection } from '../open-transaction.ts'
import { sessionHandle } from './handle.ts'
import { connect } from './pool.ts'
import { PostgresTransaction, type SessionParts } from './transaction.ts'

/** What the programs of one process share. */
export interface ProgramParts extends SessionParts {
  pool: Pool
  /** Transactions of one account that write, one after the other, so that they do not abort each other for ever. */
  turns: Places
  /**
   * Connections for programs, counted apart for those that have their turn and those that may still have to wait for it, so
   * that the latter can never keep the former from a connection. Requests have the rest of the pool.
   */
  inTurn: Places
  /** One account never has all of these. */
  outOfTurn: Places
}

/**
 * A program on PostgreSQL: one SERIALIZABLE transaction that begins with the first query. It takes the turn of its account
 * before its first write; one that holds from the start takes it before its first query, and so sees all earlier turns.
 */
export class PostgresProgram<Tables> implements ProgramConnection<Tables> {
  readonly db: Kysely<Tables> = sessionHandle(
    async (query: CompiledQuery) => this.#execute(query),
    async (query) => (await this.#ready()).send(query),
  )
  readonly #parts: ProgramParts
  readonly #options: ProgramOptions
  /** Gives back what the program has of `#parts`, in any order. */
  readonly #leave: Leave[] = []
  /** A release that was not sent yet; the end of the transaction releases by itself. */
  #unsent: string | undefined
  #turn: Promise<void> | undefined
  #session: Promise<PostgresTransaction<Tables>> | undefined
  #ended = false

  constructor(parts: ProgramParts, options: ProgramOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** The release of a savepoint travels with the next statement: a call then costs one round trip less. */
  readonly command = async (sql: string): Promise<void> => {
    if (sql.startsWith('release savepoint ') && this.#unsent === undefined) {
      this.#unsent = sql
      return
    }
    await (await this.#ready()).command(sql)
  }

  /**
   * Nobody waits for what a call has written: if it fails, which only a race or a fault of ours brings about, the whole program runs
   * again, and then waits after each call, so that a failure is that of its call.
   */
  readonly settled = async (): Promise<void> => {
    const session = await this.#session
    if (this.#options.holdFromStart) await session?.settled()
    else session?.settleLater()
  }

  readonly allSettled = async (): Promise<void> => {
    await (await this.#session)?.settled()
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#ready()).execute<Row>(query)
  }

  /** The session, which was sent what had been left for later. */
  async #ready(): Promise<PostgresTransaction<Tables>> {
    const session = await this.#open()
    const unsent = this.#unsent
    this.#unsent = undefined
    if (unsent) session.later(unsent)
    return session
  }

  async beginWriting(): Promise<void> {
    await this.#takeTurn()
    await this.#open()
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (how === 'commit') this.#refuseEnded()
    if (this.#ended) return
    this.#ended = true
    try {
      await this.#turn?.catch(() => {})
      const session = await this.#session?.catch(() => undefined)
      await session?.end(how, endedError(this.#options.signal))
    } finally {
      for (const leave of this.#leave) leave()
    }
  }

  #open(): Promise<PostgresTransaction<Tables>> {
    if (this.#ended) return Promise.reject(endedError(this.#options.signal))
    this.#session ??= this.#begin()
    return this.#session
  }

  async #begin(): Promise<PostgresTransaction<Tables>> {
    if (this.#options.holdFromStart || this.#turn) await this.#takeTurn()
    const { account, signal } = this.#options
    const { inTurn, outOfTurn, pool } = this.#parts
    this.#leave.push(await (this.#turn ? inTurn : outOfTurn).take(account, signal))
    const session = new PostgresTransaction<Tables>(await connect(pool, signal), this.#parts, { patient: true })
    try {
      await session.begin()
      return session
    } catch (error) {
      await session.end('rollback')
      throw error
    }
  }

  #takeTurn(): Promise<void> {
    if (this.#ended) return Promise.reject(endedError(this.#options.signal))
    this.#turn ??= this.#waitForTurn()
    return this.#turn
  }

  async #waitForTurn(): Promise<void> {
    const { account, signal } = this.#options
    this.#leave.push(await this.#parts.turns.take(account, signal))
  }

  #refuseEnded(): void {
    if (this.#ended) throw endedError(this.#options.signal)
  }
}
