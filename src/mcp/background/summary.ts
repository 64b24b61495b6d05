import { ApiError } from '../../contract/declarations/errors.ts'
import { shorten } from '../../contract/values/shorten.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { DoneBatch } from '../../records/background/keep.ts'
import type { EndedBatch } from '../program/batch-work.ts'
import { RecordRefused } from '../program/ending.ts'
import { backgroundError } from '../program/run-error.ts'

const VALUE_BYTES = 2_000
/** The number of rows that cost as much as one call: the size of a page of a list. */
const ROWS_OF_A_CALL = 100

export function doneBatch({ outcome, calls }: EndedBatch, rows: number, leftOut: number): DoneBatch {
  const value = JSON.stringify(shorten(outcome.value, VALUE_BYTES)).replaceAll('\\u0000', '\\u2400')
  return { rows, leftOut, changes: calls.changes.counts(), value }
}

/** Counts the rows of a batch against the rate limit as if the program had read them page by page. */
export async function payForRows(budget: CallBudget | undefined, rows: number): Promise<void> {
  for (let paid = 0; paid < rows; paid += ROWS_OF_A_CALL) await budget?.take()
}

/** Throws a RecordRefused, which rolls back the run, for an ApiError. Rethrows any other error. */
export function asRefused(error: unknown): never {
  throw error instanceof ApiError ? new RecordRefused(backgroundError(error.message)) : error
}

/** Returns a list as it is stored: with its filters, because some lists cannot be read without one. */
export function keptList({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  return JSON.stringify({ path, query })
}
