import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Pool } from 'pg'
import type { Leave, Places } from '../../concurrency/places.ts'
import type { ProgramOptions } from '../database.ts'
import { endedError, type ProgramConnection } from '../open-transaction.ts'
import { sessionHandle } from './handle.ts'
import { connect } from './pool.ts'
import { PostgresTransaction, type SessionParts } from './transaction.ts'

export interface ProgramParts extends SessionParts {
  pool: Pool
  /** The locks of accounts. The writing transactions of one account run one after another, so they do not abort each other forever. */
  turns: Places
  /**
   * Connections for programs that hold their account's lock. They are counted separately from `outOfTurn`, so that programs
   * waiting for the lock never use up the connections of programs that hold it. Requests use the rest of the pool.
   */
  inTurn: Places
  /** Connections for programs that do not hold their account's lock. One account can never use all of them. */
  outOfTurn: Places
}

/**
 * The transaction of a program on PostgreSQL. It is SERIALIZABLE, begins with the first query, and acquires its account's lock before the
 * first write. With `holdFromStart`, it acquires the lock before the first query, so that it sees the writes of all earlier holders.
 */
export class PostgresProgram<Tables> implements ProgramConnection<Tables> {
  readonly db: Kysely<Tables> = sessionHandle(
    async (query: CompiledQuery) => this.#execute(query),
    async (query) => (await this.#ready()).send(query),
  )
  readonly #parts: ProgramParts
  readonly #options: ProgramOptions
  /** Functions that release the account's lock and the place in `inTurn` or `outOfTurn`. They can be called in any order. */
  readonly #leave: Leave[] = []
  /** A `release savepoint` command that was not sent yet. The end of the transaction makes it unnecessary. */
  #unsent: string | undefined
  #turn: Promise<void> | undefined
  #session: Promise<PostgresTransaction<Tables>> | undefined
  #ended = false

  constructor(parts: ProgramParts, options: ProgramOptions) {
    this.#parts = parts
    this.#options = options
  }

  /**
   * Runs a command. Only `release savepoint` is held back and sent together with the next statement, which saves one round trip
   * per call.
   */
  readonly command = async (sql: string): Promise<void> => {
    if (sql.startsWith('release savepoint ') && this.#unsent === undefined) {
      this.#unsent = sql
      return
    }
    await (await this.#ready()).command(sql)
  }

  /**
   * Does not wait for the writes of a call. If one fails, because of a race or a bug, the whole program runs again and then waits after
   * each call, so that the error is reported for the right call.
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
