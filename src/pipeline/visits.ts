import type { Caller } from '../contract/caller.ts'
import type { Database } from '../database/database.ts'
import type { Context } from '../records/context.ts'
import type { Tables } from '../resources/tables.ts'
import type { Applier } from './apply.ts'
import { AWAIT_MS, type JobBoard } from './job-board.ts'

interface VisitParts {
  database: Database<Tables>
  jobs: JobBoard
}

/** What people do on pages: they look at the shop, and act in it. */
export class Visits {
  readonly #applier: Applier
  readonly #parts: VisitParts

  constructor(applier: Applier, { database, jobs }: VisitParts) {
    this.#applier = applier
    this.#parts = { database, jobs }
  }

  /** What a page shows: reads alone, outside of every transaction. */
  look<Value>(caller: Caller, work: (context: Context) => Promise<Value>): Promise<Value> {
    return this.#applier.look(this.#parts.database, caller, work)
  }

  /** What somebody does on a page: a transaction where money may move. Waits for the jobs whose result the page shows. */
  async act<Value>(
    caller: Caller,
    emits: readonly string[],
    work: (context: Context) => Promise<Value>,
  ): Promise<Value> {
    const { database, jobs } = this.#parts
    const { value, awaited } = await this.#applier.partWithJobs(database, caller, emits, work, { inTurn: true })
    if (awaited.length > 0) await jobs.wait(awaited, AWAIT_MS)
    return value
  }
}
