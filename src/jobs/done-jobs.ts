import type { Scope } from '../database/database.ts'
import type { JobRow } from '../database/system-tables.ts'
import type { Tables } from '../resources/tables.ts'
import { markDone } from './queue.ts'

/** Marks jobs as done. Those that end while others are being written share the next transaction. */
export class DoneJobs {
  readonly #database: Scope<Tables>
  #next: JobRow[] = []
  #last: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | undefined

  constructor(database: Scope<Tables>) {
    this.#database = database
  }

  /** Resolves when it is written. */
  mark(job: JobRow): Promise<void> {
    this.#next.push(job)
    this.#waiting ??= this.#write()
    return this.#waiting
  }

  async #write(): Promise<void> {
    await this.#last.catch(() => {})
    const jobs = this.#next.splice(0)
    this.#waiting = undefined
    const written = this.#database.transaction(({ db }) => markDone(db, jobs))
    this.#last = written
    await written
  }
}
