import type { Database, Transaction } from '../../database/database.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome } from '../../sandbox/api.ts'

export interface EndedBatch {
  outcome: Outcome & { ok: true }
  calls: {
    changes: { counts(): Record<string, number> }
    /** The write operations that succeeded, by method and path as in the catalogue. */
    writes: ReadonlySet<string>
  }
}

/** One batch of a background program. */
export interface BatchWork {
  /** The id of the background program, available once the batch has ended. */
  readonly id: string
  /** Returns the rows of the batch, but no more than `most`. Throws ApiError. */
  rows(list: ListRequest, most: number, budget: CallBudget | undefined): Promise<Record<string, unknown>[]>
  /** Chooses the rows that a run has requested, between two runs. Returns true if the program has to run again with the chosen rows. */
  choose?(database: Database<Tables>, signal?: AbortSignal): Promise<boolean>
  /** Returns the progress of the background program, which becomes the tool's result in place of the block's value. */
  ended(run: EndedBatch): Json
  /** The id of the background program if another batch follows; null after the last batch. */
  readonly goesOn: string | null
  /** Records the batch in the transaction of its changes. Throws RecordRefused. */
  record(unit: Transaction<Tables>): Promise<void>
}
