import { setTimeout as delay } from 'node:timers/promises'
import { ADVANCE_LEASE_MS, type Advance, beginAdvance, endAdvance, isStopped, moveTo } from '../clock/advance.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { ShopDatabase, ShopScope } from '../resources/tables.ts'
import type { JobCarrier } from './carry-out.ts'
import { firstByClock, hasDueJobs, leaseWaiting } from './queue.ts'

/** How long an advance waits in total for jobs with external I/O, such as emails, before it continues without them. */
const PATIENCE_MS = 60_000
/** The maximum duration of an advance, so that a mistaken one ends. An advance can be requested again. */
const LONGEST_MS = 2 * 60_000
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 50

export interface AdvanceParts {
  database: ShopDatabase
  carrier: JobCarrier
  log: { error(details: object, message: string): void }
}

export interface Advanced {
  from: string
  /** The time that the clock now shows: the target, or an earlier time if the advance was stopped or took too long. */
  to: string
  jobs: number
}

/**
 * Advances a test account's clock to `to` and runs the jobs that become due in order, while the clock shows the time of each. Throws
 * ClockError. After a failure, a stop or two minutes, the clock continues from the time that it has reached.
 */
export async function advanceClock(parts: AdvanceParts, accountId: string, to: string): Promise<Advanced> {
  const { database, log } = parts
  const advance = await beginAdvance(database, accountId, to)
  const keep = () =>
    database
      .transaction(({ db }) => moveTo(db, advance))
      .catch((error: unknown) => log.error({ err: error }, 'A clock that is being moved could not be kept'))
  const keeping = setInterval(keep, ADVANCE_LEASE_MS / 3)
  const walk = new ClockWalk(parts, advance)
  let reached: string | undefined
  try {
    await walk.run()
    if (walk.arrived) reached = to
  } finally {
    clearInterval(keeping)
    await endAdvance(database, advance, reached)
  }
  return { from: advance.from, to: reached ?? walk.moment, jobs: walk.jobs }
}

/** One advance of a clock, step by step through all jobs that become due. */
class ClockWalk {
  moment: string
  jobs = 0
  arrived = false
  readonly #parts: AdvanceParts
  readonly #advance: Advance
  readonly #names: Record<JobRow['lane'], string[]>
  #patienceMs = PATIENCE_MS

  constructor(parts: AdvanceParts, advance: Advance) {
    this.#parts = parts
    this.#advance = advance
    const { carrier } = parts
    this.#names = { due: carrier.namesOf('due'), outside: carrier.namesOf('outside'), long: carrier.namesOf('long') }
    this.moment = advance.from
  }

  async run(): Promise<void> {
    const { database, carrier } = this.#parts
    const { accountId, to } = this.#advance
    const until = performance.now() + LONGEST_MS
    while (!carrier.stopping && performance.now() < until && !(await isStopped(database, this.#advance))) {
      await this.#untilOthersAreDone()
      const next = await firstByClock(database.read, accountId, this.#names, to)
      if (!next) {
        this.arrived = !carrier.stopping
        return
      }
      if (next.run_at > this.moment) this.moment = next.run_at
      await this.#carryOut(next)
      this.jobs += 1
    }
  }

  /** Moves the clock to a job's time and runs the job. If the job is one transaction, the clock moves in the same transaction. */
  async #carryOut(job: JobRow): Promise<void> {
    const { database, carrier } = this.#parts
    if (job.lane === 'due') return carrier.carryOut(job, this.#moving(database))
    const leased = await this.#moving(database).transaction(({ db }) =>
      leaseWaiting(db, job, carrier.leaseMs(job.name)),
    )
    if (leased) await carrier.carryOut(leased)
  }

  /** Returns a scope whose transactions first move the clock to the current step. */
  #moving(database: ShopDatabase): ShopScope {
    return {
      read: database.read,
      transaction: (work, options) =>
        database.transaction(
          async (unit) => {
            await moveTo(unit.db, this.#advance, this.moment)
            return work(unit)
          },
          { ...options, account: this.#advance.accountId },
        ),
    }
  }

  /** Waits while the job worker runs jobs that are already due, such as emails. A failed job does not delay the advance. */
  async #untilOthersAreDone(): Promise<void> {
    const names = [...this.#names.due, ...this.#names.outside]
    if (names.length === 0) return
    let pauseMs = FIRST_PAUSE_MS
    while (this.#patienceMs > 0 && !this.#parts.carrier.stopping) {
      if (!(await hasDueJobs(this.#parts.database.read, this.#advance.accountId, names))) return
      await delay(pauseMs)
      this.#patienceMs -= pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}
