import type { Database, Unit } from '../../database/database.ts'
import type { AskedList } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { Tables } from '../../resources/tables.ts'
import type { Json, Outcome } from '../../sandbox/door.ts'

/** A run of a program that ended well. */
export interface EndedBatch {
  outcome: Outcome & { ok: true }
  calls: {
    changes: { counts(): Record<string, number> }
    /** The operations that wrote, as the catalogue has them. */
    writes: ReadonlySet<string>
  }
}

/** One batch of a background program: what its block gets, and what is remembered of it. */
export interface BatchWork {
  /** The background program's id, once the batch has ended. */
  readonly id: string
  /** The rows of the batch, `most` of them at the most. Throws ApiError. */
  rows(list: AskedList, most: number, budget: CallBudget | undefined): Promise<Record<string, unknown>[]>
  /** Chooses the rows that a run has asked for, outside of every run. True where the program is to run again, with them. */
  choose?(database: Database<Tables>, signal?: AbortSignal): Promise<boolean>
  /** What the tool answers in place of the block's value: how far the program is. */
  ended(run: EndedBatch): Json
  /** The background program that goes on after the batch; null where it was the last. */
  readonly goesOn: string | null
  /** Written in the batch's own transaction. Throws RecordRefused. */
  record(unit: Unit<Tables>): Promise<void>
}
