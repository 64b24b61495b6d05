import { Places } from '../../concurrency/places.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import { type Database, TransactionLostError } from '../../database/database.ts'
import type { ListReader, ListRequest } from '../../pipeline/list-reader.ts'
import type { Tables } from '../../resources/tables.ts'
import { ProgramScope } from '../program/scope.ts'

const MOST_ROWS = 100_000
/** Choosing 100,000 rows takes a second or more, and a task run that waits for it ends after 30 seconds. */
const LONGEST_MS = 20_000

/** Ends a run that needs the program's rows before they are chosen. The program is then run again. */
class NotChosenError extends TransactionLostError {}

/** Chooses the rows of a background program between two of its runs, so the time does not count toward the program's deadline. */
export class RowChoice {
  readonly #lists: Pick<ListReader, 'ids' | 'needsOf'>
  readonly #longestMs: number
  #asked: ListRequest | null = null
  #chosen: string[] | ApiError | null = null

  constructor(lists: Pick<ListReader, 'ids' | 'needsOf'>, longestMs = LONGEST_MS) {
    this.#lists = lists
    this.#longestMs = longestMs
  }

  get needs(): RoleRight[] {
    return this.#asked ? [this.#lists.needsOf(this.#asked)] : []
  }

  /** Returns the list that the first run requested, because a later run's filters may depend on the time. Throws if no rows are chosen. */
  take(list: ListRequest): { list: ListRequest; ids: string[] } {
    this.#asked ??= list
    if (this.#chosen === null) throw new NotChosenError()
    if (this.#chosen instanceof ApiError) throw this.#chosen
    const { path, query } = this.#asked
    return { list: { ...list, path, query }, ids: this.#chosen }
  }

  /** Chooses the rows in a separate transaction. Returns false if no run has requested rows or if they are already chosen. */
  async choose(database: Database<Tables>, signal?: AbortSignal): Promise<boolean> {
    if (this.#asked === null || this.#chosen !== null) return false
    const late = AbortSignal.timeout(this.#longestMs)
    this.#chosen = await this.#read(database, this.#asked, signal ? AbortSignal.any([signal, late]) : late).catch(
      (error: unknown) => refusal(error, late),
    )
    return true
  }

  async #read(database: Database<Tables>, asked: ListRequest, signal: AbortSignal): Promise<string[]> {
    const account = asked.caller.accountId
    const leave = await TURNS.take(account, signal)
    const scope = new ProgramScope(database, { account, together: true })
    try {
      return await this.#lists.ids({ ...asked, scope }, MOST_ROWS, signal)
    } finally {
      await scope.rollback().catch(() => {})
      leave()
    }
  }
}

/** Each account chooses rows for one program at a time, so a long choice does not delay other accounts. */
const TURNS = new Places({ each: 1 })

function refusal(error: unknown, late: AbortSignal): ApiError {
  if (error instanceof ApiError) return error
  if (late.aborted)
    return new ApiError('invalid_state', 'Choosing the rows took too long. Narrow the list with filters.')
  throw error
}
