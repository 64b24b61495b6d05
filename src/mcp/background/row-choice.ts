import { ApiError } from '../../contract/declarations/errors.ts'
import type { RoleRight } from '../../contract/declarations/role-rights.ts'
import { type Database, TransactionLostError } from '../../database/database.ts'
import type { AskedList, ListReader } from '../../pipeline/list-reader.ts'
import { Places } from '../../queues/places.ts'
import type { Tables } from '../../resources/tables.ts'
import { ProgramScope } from '../program/scope.ts'

/** Rows that a background program may be about. */
const MOST_ROWS = 100_000
/** Choosing 100,000 rows takes a second; a busy machine takes longer. A task's run, which waits for it, has 30 seconds. */
const LONGEST_MS = 20_000

/** A program has asked for rows that are not chosen yet, so this run of it ends. */
class NotChosenError extends TransactionLostError {
  override name = 'NotChosenError'
}

/** The rows of a background program. They are chosen between two of its runs, so the deadline of a program does not apply. */
export class RowChoice {
  readonly #lists: Pick<ListReader, 'ids' | 'needsOf'>
  readonly #longestMs: number
  #asked: AskedList | null = null
  #chosen: string[] | ApiError | null = null

  constructor(lists: Pick<ListReader, 'ids' | 'needsOf'>, longestMs = LONGEST_MS) {
    this.#lists = lists
    this.#longestMs = longestMs
  }

  /** The right that reading its rows takes. */
  get needs(): RoleRight[] {
    return this.#asked ? [this.#lists.needsOf(this.#asked)] : []
  }

  /**
   * The list that a run asked for first, as this one reads it, and the ids of its rows: a list that depends on the clock is another
   * with each run. Throws where they are not chosen yet, or cannot be.
   */
  take(list: AskedList): { list: AskedList; ids: string[] } {
    this.#asked ??= list
    if (this.#chosen === null) throw new NotChosenError()
    if (this.#chosen instanceof ApiError) throw this.#chosen
    const { path, query } = this.#asked
    return { list: { ...list, path, query }, ids: this.#chosen }
  }

  /** Chooses the rows in a snapshot of their own, where a run has asked for them. False where nothing was to be chosen. */
  async choose(database: Database<Tables>, signal?: AbortSignal): Promise<boolean> {
    if (this.#asked === null || this.#chosen !== null) return false
    const late = AbortSignal.timeout(this.#longestMs)
    this.#chosen = await this.#read(database, this.#asked, signal ? AbortSignal.any([signal, late]) : late).catch(
      (error: unknown) => refusal(error, late),
    )
    return true
  }

  async #read(database: Database<Tables>, asked: AskedList, signal: AbortSignal): Promise<string[]> {
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

/** Each account chooses rows once at a time, so that it keeps others waiting no longer than its programs do. */
const TURNS = new Places({ each: 1 })

function refusal(error: unknown, late: AbortSignal): ApiError {
  if (error instanceof ApiError) return error
  if (late.aborted)
    return new ApiError('invalid_state', 'Choosing the rows took too long. Narrow the list with filters.')
  throw error
}
