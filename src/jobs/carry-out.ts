import { ClockBusyError } from '../clock/advance.ts'
import type { AccountClocks } from '../clock/moments.ts'
import type { JobCaller, RunOrigin } from '../contract/declarations/caller.ts'
import { timestampOf } from '../contract/values/values.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { JobRecord } from '../monitoring/records.ts'
import type { Contexts } from '../pipeline/contexts.ts'
import type { PostCommitWork } from '../pipeline/side-effects.ts'
import { transact } from '../pipeline/transact.ts'
import type { Context } from '../records/context.ts'
import { AskAgainError, type JobContext, type JobType } from '../records/job.ts'
import type { Services } from '../records/services.ts'
import type { ShopDatabase, ShopScope } from '../resources/tables.ts'
import { attemptOf, changeSame, DoneJobs, markDone, markSeveral } from './queue.ts'

const LONGEST_PAUSE_MS = 60 * 60 * 1000
const MAX_ERROR = 1_000
/** How long after its creation a job can be postponed by providers. Later, only postponements without a limit are accepted. */
const LONGEST_POSTPONEMENT_MS = 48 * 60 * 60 * 1000
const LEAST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000

/** How long after an attempt's time limit another worker may take over the job. */
const LEASE_MARGIN_MS = 10_000

export interface CarrierParts {
  database: ShopDatabase
  contexts: Pick<Contexts, 'part' | 'look'>
  clocks: AccountClocks
  services: Services
  types: JobType<unknown>[]
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
  wake?: (left: PostCommitWork) => void
  ended?: (record: JobRecord) => void
}

interface FinalTransaction {
  scope: ShopScope
  finishing(): void
  together?: SharedTransaction
}

interface SharedTransaction {
  /** Marks the jobs as done, except those that another worker has claimed, and reads their data. Returns false if this job must not run. */
  begin(context: Context, jobId: string): Promise<boolean>
  left(left: PostCommitWork): void
}

/** The maximum number of jobs in one transaction; few, so that other jobs of the account do not wait long. */
const MOST_TOGETHER = 8

export class JobCarrier {
  readonly #parts: CarrierParts
  readonly #types: Map<string, JobType<unknown>>
  readonly #done: DoneJobs
  readonly #stop = new AbortController()
  #stopping = false

  constructor(parts: CarrierParts) {
    this.#parts = parts
    this.#types = new Map(parts.types.map((type) => [type.name, type]))
    this.#done = new DoneJobs(parts.database)
  }

  namesOf(lane: JobRow['lane']): string[] {
    return [...this.#types.values()].filter((type) => type.lane === lane).map(({ name }) => name)
  }

  leaseMs(name: string): number {
    return this.#typeOf(name).timeoutMs + LEASE_MARGIN_MS
  }

  #typeOf(name: string): JobType<unknown> {
    const type = this.#types.get(name)
    if (!type) throw new Error(`No job is called ${name}.`)
    return type
  }

  /** Prevents clock advances from running more jobs. Running jobs may finish. */
  beginStop(): void {
    this.#stopping = true
  }

  /** Aborts running jobs, which are retried later. */
  stop(): void {
    this.#stopping = true
    this.#stop.abort()
  }

  get stopping(): boolean {
    return this.#stopping
  }

  /**
   * Runs a job and records its outcome; a failed job is retried. A job that is one transaction runs in `scope` and need not be
   * claimed.
   */
  async carryOut(row: JobRow, scope: ShopScope = this.#parts.database): Promise<void> {
    const { database, clocks } = this.#parts
    const type = this.#typeOf(row.name)
    const began = performance.now()
    let finished = false
    try {
      const finishing = () => {
        finished = true
      }
      await type.work(this.#contextOf(row, type, { scope, finishing }), JSON.parse(row.payload))
    } catch (error) {
      if (error instanceof ClockBusyError) throw error
      if (!this.#stop.signal.aborted) this.#noteFailure(row, error, began)
      return retryOrFail(database, clocks, row, { error, attempts: type.attempts })
    }
    if (!finished) await this.#done.mark(row)
    this.#parts.ended?.(recordOf(row, 'done', began))
  }

  /** Returns the number of jobs at the start of the list that run in one transaction. */
  countTogether(rows: readonly JobRow[]): number {
    const [first] = rows
    // The embedded engine already combines several transactions in one commit.
    if (!first || this.#parts.database.engine === 'sqlite' || !this.#types.get(first.name)?.readAhead) return 1
    const others = rows.findIndex((row) => row.account_id !== first.account_id || row.name !== first.name)
    return Math.min(others === -1 ? rows.length : others, MOST_TOGETHER)
  }

  /** Runs several jobs in one transaction. If that fails, each job runs separately with `carryOut`. */
  async carryOutTogether(first: JobRow, rows: JobRow[]): Promise<void> {
    const began = performance.now()
    const left = await this.#oneTransaction(first, rows).catch(() => null)
    if (left === null) {
      await Promise.all(rows.map((row) => this.carryOut(row)))
      return
    }
    for (const row of rows) this.#parts.ended?.(recordOf(row, 'done', began))
    this.#parts.wake?.(left)
  }

  async #oneTransaction({ name, account_id: account }: JobRow, rows: JobRow[]): Promise<PostCommitWork> {
    const type = this.#typeOf(name)
    const payloads = rows.map(({ payload }) => JSON.parse(payload))
    return transact(this.#parts.database, { account, inTurn: true }, async (unit) => {
      let begun: Promise<Set<string>> | undefined
      const jobs: string[] = []
      const all = { jobs, lanes: new Set<JobRow['lane']>(), deliveries: 0 }
      const together: SharedTransaction = {
        async begin(context, jobId) {
          begun ??= Promise.all([markSeveral(context.db, rows), type.readAhead?.(context, payloads)]).then(
            ([ids]) => ids,
          )
          return (await begun).has(jobId)
        },
        left(some) {
          jobs.push(...some.jobs)
          for (const lane of some.lanes ?? []) all.lanes.add(lane)
          all.deliveries += some.deliveries
        },
      }
      const scope: ShopScope = { read: unit.db, transaction: (work) => work(unit) }
      for (const [index, row] of rows.entries())
        await type.work(this.#contextOf(row, type, { scope, finishing() {}, together }), payloads[index])
      return all
    })
  }

  #noteFailure(row: JobRow, error: unknown, began: number): void {
    const { jobId, job, accountId, attempt } = recordOf(row, 'failed', began)
    if (postponementMs(row, error) !== null) {
      this.#parts.log.warn({ err: error, jobId, job, accountId }, 'A job was asked to come back later')
      return
    }
    this.#parts.log.error({ err: error, jobId, job, accountId, attempt }, 'A job failed')
    this.#parts.ended?.(recordOf(row, 'failed', began))
  }

  #contextOf(row: JobRow, type: JobType<unknown>, { scope, finishing, together }: FinalTransaction): JobContext {
    const { contexts, database, services, log } = this.#parts
    const begin = together
      ? (context: Context) => together.begin(context, row.id)
      : async (context: Context) => {
          const ahead = type.readAhead?.(context, [JSON.parse(row.payload)])
          return (await Promise.all([markDone(context.db, [row]), ahead]))[0]
        }
    const caller: JobCaller = { kind: 'job', accountId: row.account_id, jobId: row.id, ...causeOf(row) }
    const stop = this.#stop.signal
    const endsAt = performance.now() + type.timeoutMs
    let signal: AbortSignal | undefined
    return {
      jobId: row.id,
      accountId: row.account_id,
      attempt: attemptOf(row),
      // The signal is created on demand, because a job that consists of one transaction never uses it.
      get signal() {
        const leftMs = Math.max(0, Math.ceil(endsAt - performance.now()))
        signal ??= AbortSignal.any([stop, AbortSignal.timeout(leftMs)])
        return signal
      },
      services,
      warn: (details, message) =>
        log.warn({ jobId: row.id, job: row.name, accountId: row.account_id, ...details }, message),
      read: (work) => contexts.look(database, caller, work),
      transaction: (work, options) => contexts.part(database, caller, type.emits, work, options),
      finish: (work) => {
        finishing()
        // The job is marked as done first, so that its own queries of the queue do not find it waiting.
        const done = async (context: Context) => {
          if (await begin(context)) await work(context)
        }
        return contexts.part(scope, caller, type.emits, done, {
          inTurn: true,
          ...(together && { left: together.left }),
        })
      },
    }
  }
}

function recordOf(row: JobRow, outcome: JobRecord['outcome'], began: number): JobRecord {
  const { id: jobId, name: job, account_id: accountId } = row
  return { jobId, job, accountId, attempt: attemptOf(row), outcome, durationMs: performance.now() - began }
}

/**
 * Schedules another attempt after a pause that doubles each time, or marks the job as failed. In test accounts, jobs that are one
 * transaction pause by the account's clock, so that the order of due jobs stays the same. All others pause in system time.
 */
async function retryOrFail(
  database: ShopScope,
  clocks: AccountClocks,
  job: JobRow,
  { error, attempts }: { error: unknown; attempts: number },
): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR)
  const attempt = attemptOf(job)
  const waitMs = postponementMs(job, error)
  const pauseMs = waitMs ?? Math.min(1000 * 2 ** attempt, LONGEST_PAUSE_MS)
  const ended = { leased_until: null, last_error: message, attempts: attempt }
  await database.transaction(async ({ db }) => {
    const { now, realNow, test } = await clocks.momentsOf(db, job.account_id)
    if (waitMs !== null) {
      const run_at = timestampOf(new Date(Date.parse(realNow) + waitMs))
      return changeSame(db, [job], { ...ended, attempts: attempt - 1, state: 'waiting', run_at }).execute()
    }
    if (attempt >= attempts) return changeSame(db, [job], { ...ended, state: 'failed', finished_at: realNow }).execute()
    const byClock = test && job.lane === 'due'
    const run_at = timestampOf(new Date(Date.parse(byClock ? later(now, job.run_at) : realNow) + pauseMs))
    return changeSame(db, [job], { ...ended, state: byClock ? 'waiting_for_clock' : 'waiting', run_at }).execute()
  })
}

/** Returns for how many milliseconds a provider has postponed the job; null if the attempt counts as failed. */
function postponementMs({ created_at }: Pick<JobRow, 'created_at'>, error: unknown): number | null {
  if (!(error instanceof AskAgainError)) return null
  const isOver = Date.now() - Date.parse(created_at) > LONGEST_POSTPONEMENT_MS
  if (isOver && !error.withoutLimit) return null
  return Math.min(Math.max(error.at - Date.now(), LEAST_WAIT_MS), LONGEST_WAIT_MS)
}

/**
 * Returns the later of two times. During an advance, the clock may be behind the time of a failed job, because it moves only
 * if the job succeeds.
 */
function later(one: string, other: string): string {
  return one > other ? one : other
}

/** Returns the task run that has enqueued a job, and the tokens with daily caps for which its uses count. */
function causeOf({ origin }: JobRow): Pick<JobCaller, 'origin' | 'capped'> {
  const { capped, ...run }: Partial<RunOrigin> & Pick<JobCaller, 'capped'> = JSON.parse(origin ?? '{}')
  return { ...(run.run !== undefined && { origin: run as RunOrigin }), ...(capped && { capped }) }
}
