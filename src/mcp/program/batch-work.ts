import type { Database, Transaction } from '../../database/database.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome } from '../../sandbox/api.ts'

/** A batch whose program ended successfully. */
export interface EndedBatch {
  outcome: Outcome & { ok: true }
  calls: {
    changes: { counts(): Record<string, number> }
    /** The operations that wrote, by method and path as in the catalogue. */
    writes: ReadonlySet<string>
  }
}

/** One batch of a background program: its rows, and how it is recorded. */
export interface BatchWork {
  /** The background program's id, once the batch has ended. */
  readonly id: string
  /** Returns the rows of the batch, at most `most`. Throws ApiError. */
  rows(list: ListRequest, most: number, budget: CallBudget | undefined): Promise<Record<string, unknown>[]>
  /** Chooses the rows that a run has requested, outside of any run. Returns true if the program has to run again with them. */
  choose?(database: Database<Tables>, signal?: AbortSignal): Promise<boolean>
  /** Returns the tool's result in place of the block's value: the progress of the program. */
  ended(run: EndedBatch): Json
  /** The id of the background program that continues after the batch; null after the last. */
  readonly goesOn: string | null
  /** Records the batch in its own transaction. Throws RecordRefused. */
  record(unit: Transaction<Tables>): Promise<void>
}
