import { Places } from '../../concurrency/places.ts'
import { ApiError } from '../../contract/declarations/errors.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import { type Database, TransactionLostError } from '../../database/database.ts'
import type { ListReader, ListRequest } from '../../pipeline/list-reader.ts'
import type { Tables } from '../../resources/tables.ts'
import { ProgramScope } from '../program/scope.ts'

/** The maximum number of rows of a background program. */
const MOST_ROWS = 100_000
/** Choosing 100,000 rows takes a second, or more on a busy machine. A task run waits for it and has 30 seconds. */
const LONGEST_MS = 20_000

/** Ends a run that has requested rows before they were chosen. */
class NotChosenError extends TransactionLostError {
  override name = 'NotChosenError'
}

/** The rows of a background program. They are chosen between two of its runs, so that the deadline of a program does not apply. */
export class RowChoice {
  readonly #lists: Pick<ListReader, 'ids' | 'needsOf'>
  readonly #longestMs: number
  #asked: ListRequest | null = null
  #chosen: string[] | ApiError | null = null

  constructor(lists: Pick<ListReader, 'ids' | 'needsOf'>, longestMs = LONGEST_MS) {
    this.#lists = lists
    this.#longestMs = longestMs
  }

  /** The right that reading its rows requires. */
  get needs(): RoleRight[] {
    return this.#asked ? [this.#lists.needsOf(this.#asked)] : []
  }

  /**
   * Returns the list that the first run requested, read in this run's scope, and the ids of its rows; a list that depends on the clock may
   * differ in later runs. Throws if the rows are not chosen yet or cannot be chosen.
   */
  take(list: ListRequest): { list: ListRequest; ids: string[] } {
    this.#asked ??= list
    if (this.#chosen === null) throw new NotChosenError()
    if (this.#chosen instanceof ApiError) throw this.#chosen
    const { path, query } = this.#asked
    return { list: { ...list, path, query }, ids: this.#chosen }
  }

  /** Chooses the rows in a separate transaction if a run has requested them. Returns false if there was nothing to choose. */
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

/** Each account chooses rows for one program at a time, so that it delays others no more than its programs do. */
const TURNS = new Places({ each: 1 })

function refusal(error: unknown, late: AbortSignal): ApiError {
  if (error instanceof ApiError) return error
  if (late.aborted)
    return new ApiError('invalid_state', 'Choosing the rows took too long. Narrow the list with filters.')
  throw error
}
