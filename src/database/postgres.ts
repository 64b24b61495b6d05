import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import { type Leave, Places } from '../concurrency/places.ts'
import {
  ConflictError,
  type Database,
  type DatabaseLoad,
  type OpenTransaction,
  type ProgramOptions,
  StorageError,
  type Transaction,
  type TransactionOptions,
} from './database.ts'
import { type Migration, migrate, requireMigrated } from './migrate.ts'
import { ProgramTransaction } from './open-transaction.ts'
import { CREATE_COMMIT_RECORDS, outcomeOf, pruneCommitRecords } from './postgres/commit-record.ts'
import { ConnectionLostError } from './postgres/errors.ts'
import { poolHandle } from './postgres/handle.ts'
import { createOnce, migrationSession } from './postgres/migration-session.ts'
import { analyzeYoung } from './postgres/planning.ts'
import { connect, createPool } from './postgres/pool.ts'
import { PostgresProgram, type ProgramParts } from './postgres/program.ts'
import { placeOf, startError } from './postgres/start.ts'
import { type StatementOf, statementsOver } from './postgres/statements.ts'
import { PostgresTransaction } from './postgres/transaction.ts'
import { RunningTransaction } from './running-transaction.ts'

/** Each replica takes at most this many of the server's connections, of which it has 100 unless configured otherwise. */
const POOL_SIZE = 10
const ATTEMPTS = 10
/** After so many conflicts a transaction of an account waits for its turn: beside others of its account it could lose for ever. */
const ATTEMPTS_BEFORE_TURN = 4
/** Those in turn meet only what other replicas do and what does not take turns: about five seconds of pauses, in which others have the turn. */
const ATTEMPTS_IN_TURN = 60
const FIRST_BACKOFF_MS = 2
/** A transaction that loses so many connections has tried enough. */
const LOST_CONNECTIONS = 3
const PRUNE_MS = 60_000
const ANALYZE_MS = 5_000
const LONGEST_BACKOFF_MS = 200

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name`. */
  url: string
  migrations: Migration[]
  /** The most connections held at once, 3 or more; a program's open transaction takes one of them. */
  poolSize?: number
  /** Changes no schema: for commands that need a service which has been started before. */
  existing?: boolean
}

/**
 * Opens a PostgreSQL database, bringing its schema up to date. Transactions are SERIALIZABLE.
 * Throws DatabaseStartError when it cannot be reached or used.
 */
export async function openPostgres<Tables>(options: PostgresOptions): Promise<Database<Tables>> {
  const { url, poolSize = POOL_SIZE } = options
  let pool: Pool | undefined
  try {
    pool = createPool(url, poolSize)
    const statementOf = await prepared(pool, options)
    return new PostgresDatabase<Tables>({ pool, statementOf }, Math.max(1, Math.floor((poolSize - 1) / 2)))
  } catch (error) {
    await pool?.end()
    throw startError(error instanceof StorageError ? error.cause : error, url)
  }
}

/** Brings the schema up to date, and finds out how statements can be sent. */
async function prepared(pool: Pool, { url, migrations, existing }: PostgresOptions): Promise<StatementOf> {
  const client = await connect(pool)
  try {
    const session = migrationSession(client, pool)
    if (existing) await requireMigrated(session, migrations, placeOf(url))
    else await migrate(session, migrations)
    await createOnce(client, CREATE_COMMIT_RECORDS)
    return await statementsOver(client)
  } finally {
    client.release()
  }
}

class PostgresDatabase<Tables> implements Database<Tables> {
  readonly engine = 'postgres'
  readonly read: Kysely<Tables>
  readonly #pool: Pool
  readonly #program: ProgramParts
  readonly #upkeep: NodeJS.Timeout[]

  /** Of programs that have their turn, and of those that have not, `count` each may have a connection. */
  constructor({ pool, statementOf }: Pick<ProgramParts, 'pool' | 'statementOf'>, count: number) {
    this.#pool = pool
    const inTurn = new Places({ count })
    const outOfTurn = new Places({ count, each: Math.max(1, count - 1) })
    const turns = new Places({ each: 1 })
    this.#program = { pool, statementOf, outcomeOf: (id) => outcomeOf(pool, id), turns, inTurn, outOfTurn }
    this.read = poolHandle(pool, statementOf)
    const every = (ms: number, step: (pool: Pool) => Promise<void>) =>
      setInterval(() => void step(pool).catch(() => {}), ms).unref()
    this.#upkeep = [every(PRUNE_MS, pruneCommitRecords), every(ANALYZE_MS, analyzeYoung)]
  }

  async transaction<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    { account, inTurn = false, explain }: TransactionOptions = {},
  ): Promise<Result> {
    RunningTransaction.refuseInside(this)
    if (account === undefined) return this.#attempt(work, ATTEMPTS, explain)
    if (!inTurn)
      try {
        return await this.#attempt(work, ATTEMPTS_BEFORE_TURN, explain)
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
    return this.#attempt(work, ATTEMPTS_IN_TURN, explain, account)
  }

  /** Where there is an account, each attempt is made in its turn. */
  async #attempt<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    attempts: number,
    explain: (error: unknown) => unknown = (error) => error,
    account?: string,
  ): Promise<Result> {
    let lost = 0
    for (let attempt = 1; ; attempt++) {
      const { session, leave } = await this.#open(account)
      try {
        session.begin()
        const result = await new RunningTransaction(this, session.db, session, { settlesAtEnd: true }).run(work)
        await session.end('commit')
        return result
      } catch (failure) {
        await session.end('rollback')
        const error = explain(failure)
        const conflict = session.conflict ?? (error instanceof ConflictError ? error : undefined)
        if (!conflict && !(error instanceof ConnectionLostError && ++lost < LOST_CONNECTIONS)) throw error
        if (conflict && attempt === attempts) throw conflict
      } finally {
        leave?.()
      }
      await sleep(backoffMs(attempt))
    }
  }

  /** Takes the turn before a connection, of which those that wait could otherwise take all. */
  async #open(
    account: string | undefined,
  ): Promise<{ session: PostgresTransaction<Tables>; leave: Leave | undefined }> {
    const leave = account === undefined ? undefined : await this.#program.turns.take(account)
    try {
      return { session: new PostgresTransaction<Tables>(await connect(this.#pool), this.#program), leave }
    } catch (error) {
      leave?.()
      throw error
    }
  }

  program(options: ProgramOptions): OpenTransaction<Tables> {
    RunningTransaction.refuseInside(this)
    return new ProgramTransaction<Tables>(new PostgresProgram(this.#program, options))
  }

  load(): DatabaseLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { engine: 'postgres', waiting: waitingCount, busy: totalCount - idleCount, idle: idleCount }
  }

  async ping(): Promise<void> {
    await sql`select 1`.execute(this.read)
  }

  async close(): Promise<void> {
    for (const timer of this.#upkeep) clearInterval(timer)
    await this.#pool.end()
  }
}

/** A random share of a wait that doubles, so that two that collided do not meet again. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(FIRST_BACKOFF_MS * 2 ** attempt, LONGEST_BACKOFF_MS)
}
