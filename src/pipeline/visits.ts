import type { Caller } from '../contract/declarations/caller.ts'
import type { Database } from '../database/database.ts'
import type { Context } from '../records/context.ts'
import { requireRoomForOutsiders } from '../records/room.ts'
import type { Services } from '../records/services.ts'
import type { Tables } from '../resources/tables.ts'
import type { Contexts } from './contexts.ts'
import { AWAIT_MS, type JobBoard } from './job-board.ts'

interface VisitParts {
  services: Services
  database: Database<Tables>
  jobs: JobBoard
}

/** Runs the reads and actions of pages for which there are no operations. */
export class Visits {
  readonly #contexts: Contexts
  readonly #parts: VisitParts

  constructor(contexts: Contexts, { database, jobs, services }: VisitParts) {
    this.#contexts = contexts
    this.#parts = { database, jobs, services }
  }

  look<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.#contexts.look(this.#parts.database, caller, work)
  }

  /** Like `act`, but throws a 503 if the account has no storage left for a visitor's data. Not for use after money has moved. */
  async actAsOutsider<Value>(
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
  ): Promise<Value> {
    const bringer = caller.kind === 'buyer' || caller.kind === 'customer' ? 'buyer' : 'outsider'
    await requireRoomForOutsiders(this.#parts.services.storage, caller.accountId, bringer)
    return this.act(caller, emits, work)
  }

  /** Runs a page's action in a transaction that may move money. Waits for the jobs whose results the page shows. */
  async act<Value>(
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
  ): Promise<Value> {
    const { database, jobs } = this.#parts
    const { value, awaited } = await this.#contexts.partWithJobs(database, caller, emits, work, { inTurn: true })
    if (awaited.length > 0) await jobs.wait(awaited, AWAIT_MS)
    return value
  }
}
