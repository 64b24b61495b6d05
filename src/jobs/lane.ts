import { setImmediate as nextPollPhase } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { JobBoard } from '../pipeline/job-board.ts'
import type { Tables } from '../resources/tables.ts'
import type { JobCarrier } from './carry-out.ts'
import { claimDueJobs, release } from './queue.ts'

export interface LaneLimits {
  lane: JobRow['lane']
  atOnce: number
  /** The maximum number of claimed jobs, including those that are running. */
  claimed: number
  /** Jobs are claimed only when there is room for at least this many. */
  claim: number
  /** The maximum number of one account's claimed jobs: while other accounts wait, and while none do. */
  mostOfAccount: number
  mostAlone: number
}

interface LaneParts {
  database: Database<Tables>
  board: JobBoard
  log: { error(details: object, message: string): void }
}

/** A queue for one kind of jobs. Claims due jobs, alternating between accounts, and runs several at once. */
export class Lane {
  readonly #parts: LaneParts
  readonly #carrier: JobCarrier
  readonly #limits: LaneLimits
  readonly #names: string[]
  readonly #working = new Map<string, { accountId: string; done: Promise<void> }>()
  readonly #next: JobRow[] = []
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = false
  #lastServed = ''

  constructor(parts: LaneParts, carrier: JobCarrier, limits: LaneLimits) {
    this.#parts = parts
    this.#carrier = carrier
    this.#limits = limits
    this.#names = carrier.namesOf(limits.lane)
  }

  get name(): JobRow['lane'] {
    return this.#limits.lane
  }

  /** Starts no more jobs, releases those that have not started, and waits for those that are running. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#claiming
    await release(this.#parts.database, this.#next.splice(0))
    await Promise.allSettled([...this.#working.values()].map(({ done }) => done))
  }

  /** Claims due jobs. Only one claim runs at a time; a call during a claim causes another claim after it. */
  claimSoon(): void {
    if (this.#stopped || this.#names.length === 0) return
    if (this.#claiming) {
      this.#again = true
      return
    }
    this.#again = false
    this.#claiming = this.#claim()
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'Jobs could not be claimed'))
      .finally(() => {
        this.#claiming = null
        if (this.#again) this.claimSoon()
      })
  }

  async #claim(): Promise<void> {
    // Waits for jobs that end at the same time because their results are written together, so that one claim can replace all of them.
    await nextPollPhase()
    const { lane, claimed, claim, mostOfAccount, mostAlone } = this.#limits
    const room = claimed - this.#working.size - this.#next.length
    if (room < claim) return
    const { jobs, lastServed } = await claimDueJobs(this.#parts.database, {
      lane,
      names: this.#names,
      room,
      mostOfAccount,
      mostAlone,
      working: [...[...this.#working.values()].map((one) => one.accountId), ...this.#next.map((job) => job.account_id)],
      lastServed: this.#lastServed,
      leaseMs: (name) => this.#carrier.leaseMs(name),
    })
    this.#lastServed = lastServed
    this.#next.push(...jobs)
    this.#begin()
  }

  #begin(): void {
    while (!this.#stopped && this.#working.size < this.#limits.atOnce && this.#next.length > 0)
      this.#carryOut(this.#next.splice(0, this.#carrier.countTogether(this.#next)))
  }

  #carryOut(rows: JobRow[]): void {
    const [only] = rows
    if (!only) return
    const carried = rows.length > 1 ? this.#carrier.carryOutTogether(only, rows) : this.#carrier.carryOut(only)
    const done = carried
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, jobId: only.id, job: only.name }, 'A job could not be settled'),
      )
      .finally(() => {
        for (const { id } of rows) {
          this.#working.delete(id)
          this.#parts.board.finished(id)
        }
        this.#begin()
        this.claimSoon()
      })
    for (const { id, account_id: accountId } of rows) this.#working.set(id, { accountId, done })
  }
}
