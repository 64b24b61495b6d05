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
import { connect, createPool } from './postgres/pool.ts'
import { PostgresProgram, type ProgramParts } from './postgres/program.ts'
import { placeOf, startError } from './postgres/start.ts'
import { type StatementOf, statementsOver } from './postgres/statements.ts'
import { PostgresTransaction } from './postgres/transaction.ts'
import { RunningTransaction } from './running-transaction.ts'

/** From this number of rows on, a wrong query plan is noticeably slow. */
const YOUNG_ROWS = 20

/**
 * Analyzes tables that PostgreSQL has not analyzed yet. The planner assumes that they are tiny, so any index that begins with the account
 * seems as good as the primary key, and each look-up reads all rows of the account until autovacuum runs, once a minute. Several replicas
 * may do this at the same time.
 */
export async function analyzeYoung(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(YOUNG)
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`)
}

const YOUNG = `
  select relid::regclass::text as name from pg_stat_user_tables
  join pg_class on pg_class.oid = relid and relnamespace = current_schema()::regnamespace
  where reltuples <= 0 and n_tup_ins >= ${YOUNG_ROWS} and n_mod_since_analyze > 0`

/** Connections per replica. A PostgreSQL server allows 100 by default. */
const POOL_SIZE = 10
const ATTEMPTS = 10
/** After this many conflicts, a transaction waits for its account's lock, because it could otherwise lose to others forever. */
const ATTEMPTS_BEFORE_TURN = 4
/**
 * The maximum number of attempts with the lock. Other replicas and transactions without the lock can still cause conflicts. The
 * pauses between the attempts add up to about 5 s.
 */
const ATTEMPTS_IN_TURN = 60
const FIRST_BACKOFF_MS = 2
const LOST_CONNECTIONS = 3
const PRUNE_MS = 60_000
const ANALYZE_MS = 5_000
const LONGEST_BACKOFF_MS = 200

export interface PostgresOptions {
  /** `postgres://user:password@host:port/name`. */
  url: string
  migrations: Migration[]
  /** The maximum number of connections, at least 3. Each open transaction of a program uses one. */
  poolSize?: number
  /** Whether the schema must already be up to date, for commands that need an existing service. It is then not updated. */
  existing?: boolean
}

/** Opens a PostgreSQL database, whose transactions are SERIALIZABLE, and updates its schema. Throws DatabaseStartError. */
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

  /** `count` limits the connections of programs that hold their account's lock and, separately, of programs that do not. */
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
    options: TransactionOptions = {},
  ): Promise<Result> {
    RunningTransaction.refuseInside(this)
    const { account, inTurn = false } = options
    if (account === undefined) return this.#attempt(work, ATTEMPTS, options)
    if (!inTurn)
      try {
        return await this.#attempt(work, ATTEMPTS_BEFORE_TURN, options)
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
      }
    return this.#attempt(work, ATTEMPTS_IN_TURN, options, account)
  }

  /** Retries after a conflict or a lost connection. With an account, each attempt acquires the account's lock. */
  async #attempt<Result>(
    work: (unit: Transaction<Tables>) => Promise<Result>,
    attempts: number,
    { explain = (error) => error, readCommitted = false }: TransactionOptions,
    account?: string,
  ): Promise<Result> {
    let lost = 0
    for (let attempt = 1; ; attempt++) {
      const { session, leave } = await this.#open(account)
      try {
        session.begin(readCommitted ? 'read committed' : 'serializable')
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

  /** Acquires the account's lock before it takes a connection, because waiting transactions could otherwise occupy them all. */
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

/** Returns the pause before the next attempt: exponential, and random so that two transactions do not collide again. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(FIRST_BACKOFF_MS * 2 ** attempt, LONGEST_BACKOFF_MS)
}
