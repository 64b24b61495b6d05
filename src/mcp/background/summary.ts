import { ApiError } from '../../contract/declarations/errors.ts'
import { shorten } from '../../contract/values/shorten.ts'
import type { ListRequest } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { DoneBatch } from '../../records/background/keep.ts'
import type { EndedBatch } from '../program/batch-work.ts'
import { RecordRefused } from '../program/ending.ts'
import { backgroundError } from '../program/run-error.ts'

/** The maximum number of bytes stored of a block's return value. */
const VALUE_BYTES = 2_000
/** The number of rows that cost one call, as a page of a list does. */
const ROWS_OF_A_CALL = 100

/** Returns the summary of a batch that is stored. */
export function doneBatch({ outcome, calls }: EndedBatch, rows: number, leftOut: number): DoneBatch {
  const value = JSON.stringify(shorten(outcome.value, VALUE_BYTES)).replaceAll('\\u0000', '\\u2400')
  return { rows, leftOut, changes: calls.changes.counts(), value }
}

/** Charges the rows of a batch as the calls that reading their pages would take. */
export async function payForRows(budget: CallBudget | undefined, rows: number): Promise<void> {
  for (let paid = 0; paid < rows; paid += ROWS_OF_A_CALL) await budget?.take()
}

/** Converts a rule's refusal into one that ends the run that it would have been recorded with. */
export function asRefused(error: unknown): never {
  throw error instanceof ApiError ? new RecordRefused(backgroundError(error.message)) : error
}

/** Returns the stored form of a list: the filters are included, because some lists require one. */
export function keptList({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  return JSON.stringify({ path, query })
}
