import { setImmediate as nextPollPhase } from 'node:timers/promises'
import { ClockBusyError, ClockError, dropRequest } from '../clock/advance.ts'
import { currentTimestamp } from '../contract/values/values.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { JobBoard } from '../pipeline/job-board.ts'
import type { ShopDatabase } from '../resources/tables.ts'
import { type CarrierParts, JobCarrier } from './carry-out.ts'
import { type Advanced, type AdvanceParts, advanceClock } from './clock-advance.ts'
import { makeDue } from './lane-state.ts'
import { claimDueJobs, makeDueByClocks, release } from './queue.ts'

/** Runs the jobs that become due by the clocks of test accounts, and advances these clocks on request. */
class ClockKeeper {
  readonly #parts: AdvanceParts
  readonly #moving = new Set<Promise<unknown>>()

  constructor(parts: AdvanceParts) {
    this.#parts = parts
  }

  advance(accountId: string, to: string): Promise<Advanced> {
    const advanced = advanceClock(this.#parts, accountId, to)
    this.#moving.add(advanced)
    const ended = () => this.#moving.delete(advanced)
    advanced.then(ended, ended)
    return advanced
  }

  /** Marks jobs as due once a clock has reached their time, and starts requested advances. Returns true if more jobs are due. */
  async poll(realNow: string): Promise<boolean> {
    const { more, requested } = await makeDueByClocks(this.#parts.database, realNow)
    for (const { accountId, to } of requested) this.#advanceAsAsked(accountId, to)
    return more
  }

  /** Waits for running advances. Once the carrier is stopping, they end at the clock time that they have reached. */
  async stop(): Promise<void> {
    await Promise.allSettled([...this.#moving])
  }

  #advanceAsAsked(accountId: string, to: string): void {
    this.advance(accountId, to).catch(async (error: unknown) => {
      // Another replica is advancing the clock, or a lost advance has not timed out yet. The next poll tries again.
      if (error instanceof ClockBusyError) return
      if (error instanceof ClockError) await dropRequest(this.#parts.database, accountId)
      else this.#parts.log.error({ err: error, accountId, to }, 'A clock could not be moved')
    })
  }
}

const POLL_MS = 1_000

/**
 * Returns the limits of the lanes. Jobs with external I/O take seconds, so no account may occupy all places. Jobs that are one
 * transaction take milliseconds, so each claim takes many of them. The embedded engine combines the commits of running jobs; on
 * PostgreSQL, each running job takes a connection, and requests need connections, too.
 */
function lanesOn({ engine }: ShopDatabase): LaneLimits[] {
  const atOnce = engine === 'sqlite' ? 32 : 4
  return [
    { lane: 'outside', atOnce: 8, claimed: 8, claim: 1, mostOfAccount: 2, mostAlone: 6 },
    { lane: 'long', atOnce: 6, claimed: 6, claim: 1, mostOfAccount: 1, mostAlone: 2 },
    { lane: 'due', atOnce, claimed: 64, claim: 32, mostOfAccount: 8, mostAlone: 64 },
  ]
}

interface WorkerParts extends Omit<CarrierParts, 'wake'> {
  board: JobBoard
}

export class JobWorker {
  readonly #parts: WorkerParts
  readonly #carrier: JobCarrier
  readonly #lanes: Lane[]
  readonly #clocks: ClockKeeper
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | null = null
  #stopped = false

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#carrier = new JobCarrier({ ...parts, wake: (left) => parts.board.wake(left) })
    this.#lanes = lanesOn(parts.database).map((limits) => new Lane(parts, this.#carrier, limits))
    this.#clocks = new ClockKeeper({ ...parts, carrier: this.#carrier })
    parts.board.onWake(({ lanes }) => this.#claimSoon(lanes))
  }

  start(): void {
    this.#timer = setInterval(() => this.#pollSoon(), POLL_MS)
    this.#timer.unref()
    this.#pollSoon()
  }

  /** Starts no more jobs and waits for running ones, which are aborted after `graceMs`. Unfinished jobs are retried later. */
  async stop(graceMs = 0): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped = true
    this.#carrier.beginStop()
    const late = setTimeout(() => this.#carrier.stop(), graceMs)
    const lanes = Promise.all(this.#lanes.map((lane) => lane.stop()))
    await this.#polling
    await this.#clocks.stop()
    await lanes
    clearTimeout(late)
  }

  advanceClock(accountId: string, to: string): Promise<Advanced> {
    return this.#clocks.advance(accountId, to)
  }

  #claimSoon(lanes?: ReadonlySet<string>): void {
    for (const lane of this.#lanes) if (!lanes || lanes.has(lane.name)) lane.claimSoon()
  }

  #pollSoon(): void {
    this.#polling ??= this.#poll()
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'Jobs could not be made due'))
      .finally(() => {
        this.#polling = null
      })
  }

  async #poll(): Promise<void> {
    let more = true
    while (more && !this.#stopped) {
      const now = currentTimestamp()
      more = await makeDue(this.#parts.database, now)
      more = (await this.#clocks.poll(now)) || more
      this.#claimSoon()
    }
  }
}

interface LaneLimits {
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
  database: ShopDatabase
  board: JobBoard
  log: { error(details: object, message: string): void }
}

/** A queue for one kind of jobs. Claims due jobs, alternating between accounts, and runs several at once. */
class Lane {
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
    // Jobs whose results are written together end at the same time. Waits for all of them, so that one claim replaces them.
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
