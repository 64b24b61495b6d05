import type { JobCaller } from '../contract/caller.ts'
import { timestampOf } from '../contract/values.ts'
import type { Database } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Applier } from '../pipeline/apply.ts'
import type { JobBoard } from '../pipeline/job-board.ts'
import type { JobPlace, JobType } from '../records/job.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import { claimDueJobs, giveBack, markDone } from './queue.ts'

/** Jobs of this process at once, and of one account, so that no account's work waits long for another's. */
const MOST_AT_ONCE = 8
const MOST_OF_ACCOUNT = 2
/** Jobs of other replicas, and those that are due later, are noticed this late. */
const POLL_MS = 1_000
/** What an attempt may take beyond its time limit until another worker may take the job over. */
const LEASE_MARGIN_MS = 10_000

interface WorkerParts {
  database: Database<Tables>
  applier: Pick<Applier, 'part'>
  board: JobBoard
  services: Services
  types: JobType<unknown>[]
  log: { error(details: object, message: string): void }
}

/** Carries out what was enqueued, after its commit. */
export class JobWorker {
  readonly #parts: WorkerParts
  readonly #types: Map<string, JobType<unknown>>
  readonly #working = new Map<string, { accountId: string; done: Promise<void> }>()
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #claiming: Promise<void> | null = null
  #again = false
  #lastServed = ''

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#types = new Map(parts.types.map((type) => [type.name, type]))
    parts.board.onWake(() => this.#claimSoon())
  }

  start(): void {
    this.#timer = setInterval(() => this.#claimSoon(), POLL_MS)
    this.#timer.unref()
    this.#claimSoon()
  }

  /** Takes no further job, asks those under way to end, and waits for them. What is left undone is tried again later. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stop.abort()
    await this.#claiming
    await Promise.allSettled([...this.#working.values()].map(({ done }) => done))
  }

  /** One claim at a time; what comes meanwhile is looked for right after it. */
  #claimSoon(): void {
    if (this.#stop.signal.aborted || this.#types.size === 0) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    this.#again = false
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'Jobs could not be claimed'))
      .finally(() => {
        this.#claiming = null
        if (this.#again) this.#claimSoon()
      })
  }

  async #claim(): Promise<void> {
    const room = MOST_AT_ONCE - this.#working.size
    if (room <= 0) return
    const { jobs, lastServed, more } = await claimDueJobs(this.#parts.database, {
      names: [...this.#types.keys()],
      room,
      mostOfAccount: MOST_OF_ACCOUNT,
      working: [...this.#working.values()].map(({ accountId }) => accountId),
      lastServed: this.#lastServed,
      leaseMs: (name) => this.#types.get(name)!.timeoutMs + LEASE_MARGIN_MS,
    })
    for (const row of jobs) this.#begin(row)
    this.#lastServed = lastServed
    this.#again ||= more
  }

  #begin(row: JobRow): void {
    const done = this.#carryOut(row)
      .catch((error: unknown) => this.#parts.log.error({ err: error, job: row.name }, 'A job could not be settled'))
      .finally(() => {
        this.#working.delete(row.id)
        this.#parts.board.finished(row.id)
        this.#claimSoon()
      })
    this.#working.set(row.id, { accountId: row.account_id, done })
  }

  async #carryOut(row: JobRow): Promise<void> {
    const { database, log } = this.#parts
    const type = this.#types.get(row.name)!
    try {
      await type.work(this.#placeOf(row, type), JSON.parse(row.payload))
    } catch (error) {
      if (!this.#stop.signal.aborted) log.error({ err: error, job: row.name, attempt: row.attempts }, 'A job failed')
      return giveBack(database, row, error, type.attempts)
    }
    await markDone(database, row, timestampOf(new Date()))
  }

  #placeOf(row: JobRow, type: JobType<unknown>): JobPlace {
    const { applier, database, services } = this.#parts
    const caller: JobCaller = { kind: 'job', accountId: row.account_id, jobId: row.id }
    return {
      jobId: row.id,
      accountId: row.account_id,
      attempt: row.attempts,
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(type.timeoutMs)]),
      services,
      transaction: (work, options) => applier.part(database, caller, type.emits, work, options),
    }
  }
}
