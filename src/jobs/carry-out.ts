import { ClockBusyError } from '../clock/advance.ts'
import type { AccountClocks } from '../clock/moments.ts'
import type { JobCaller, RunOrigin } from '../contract/declarations/caller.ts'
import type { Database, Scope } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { JobRecord } from '../monitoring/records.ts'
import type { Applier } from '../pipeline/apply.ts'
import type { Context } from '../records/context.ts'
import type { JobPlace, JobType } from '../records/job.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { DoneJobs } from './done-jobs.ts'
import { giveBack, putOffMs } from './give-back.ts'
import { attemptOf, markDone } from './queue.ts'

/** What an attempt may take beyond its time limit until another worker may take the job over. */
const LEASE_MARGIN_MS = 10_000

export interface CarrierParts {
  database: Database<Tables>
  applier: Pick<Applier, 'part' | 'look'>
  clocks: AccountClocks
  services: Services
  types: JobType<unknown>[]
  log: { warn(details: object, message: string): void; error(details: object, message: string): void }
  /** Hears of each attempt that has ended. */
  ended?: (record: JobRecord) => void
}

/** How a job's last transaction is begun. */
interface Finishing {
  scope: Scope<Tables>
  finishing(): void
}

/** Carries out jobs that were claimed. */
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

  /** The kinds of jobs of a lane that this process knows. */
  namesOf(lane: JobRow['lane']): string[] {
    return [...this.#types.values()].filter((type) => type.lane === lane).map(({ name }) => name)
  }

  leaseMs(name: string): number {
    return this.#types.get(name)!.timeoutMs + LEASE_MARGIN_MS
  }

  /** No further job will come; those under way may finish. */
  beginStop(): void {
    this.#stopping = true
  }

  /** Asks the jobs under way to end; they are tried again later. */
  stop(): void {
    this.#stopping = true
    this.#stop.abort()
  }

  get stopping(): boolean {
    return this.#stopping
  }

  /**
   * Carries out one job and settles it; a failure is logged and the job given back. Rejects when it could not be settled. A job
   * of one transaction need not have been claimed: `scope` is where it begins that.
   */
  async carryOut(row: JobRow, scope: Scope<Tables> = this.#parts.database): Promise<void> {
    const { database, clocks } = this.#parts
    const type = this.#types.get(row.name)!
    const began = performance.now()
    let finished = false
    try {
      const finishing = () => {
        finished = true
      }
      await type.work(this.#placeOf(row, type, { scope, finishing }), JSON.parse(row.payload))
    } catch (error) {
      if (error instanceof ClockBusyError) throw error
      if (!this.#stop.signal.aborted) this.#noteFailure(row, error, began)
      return giveBack(database, clocks, row, { error, attempts: type.attempts })
    }
    if (!finished) await this.#done.mark(row)
    this.#parts.ended?.(recordOf(row, 'done', began))
  }

  #noteFailure(row: JobRow, error: unknown, began: number): void {
    const { jobId, job, accountId, attempt } = recordOf(row, 'failed', began)
    if (putOffMs(row, error) !== null) {
      this.#parts.log.warn({ err: error, jobId, job, accountId }, 'A job was asked to come back later')
      return
    }
    this.#parts.log.error({ err: error, jobId, job, accountId, attempt }, 'A job failed')
    this.#parts.ended?.(recordOf(row, 'failed', began))
  }

  #placeOf(row: JobRow, type: JobType<unknown>, { scope, finishing }: Finishing): JobPlace {
    const { applier, database, services, log } = this.#parts
    const origin = row.origin === null ? {} : { origin: JSON.parse(row.origin) as RunOrigin }
    const caller: JobCaller = { kind: 'job', accountId: row.account_id, jobId: row.id, ...origin }
    const stop = this.#stop.signal
    const endsAt = performance.now() + type.timeoutMs
    let signal: AbortSignal | undefined
    return {
      jobId: row.id,
      accountId: row.account_id,
      attempt: attemptOf(row),
      // Made when it is asked for: a job that is one transaction never does.
      get signal() {
        const leftMs = Math.max(0, Math.ceil(endsAt - performance.now()))
        signal ??= AbortSignal.any([stop, AbortSignal.timeout(leftMs)])
        return signal
      },
      services,
      warn: (details, message) =>
        log.warn({ jobId: row.id, job: row.name, accountId: row.account_id, ...details }, message),
      read: (work) => applier.look(database, caller, work),
      transaction: (work, options) => applier.part(database, caller, type.emits, work, options),
      finish: (work) => {
        finishing()
        // Done comes first: what the work cancels or enqueues must not find this job waiting.
        const done = async (context: Context) => {
          if (await markDone(context.db, [row])) await work(context)
        }
        return applier.part(scope, caller, type.emits, done, { inTurn: true })
      },
    }
  }
}

function recordOf(row: JobRow, outcome: JobRecord['outcome'], began: number): JobRecord {
  const { id: jobId, name: job, account_id: accountId } = row
  return { jobId, job, accountId, attempt: attemptOf(row), outcome, durationMs: performance.now() - began }
}
