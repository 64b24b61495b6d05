import { ApiError } from '../../contract/declarations/errors.ts'
import { shorten } from '../../contract/values/shorten.ts'
import type { AskedList } from '../../pipeline/list-reader.ts'
import type { CallBudget } from '../../pipeline/request.ts'
import type { DoneBatch } from '../../records/background/keep.ts'
import type { EndedBatch } from '../program/batch-work.ts'
import { RecordRefused } from '../program/ending.ts'
import { backgroundError } from '../program/run-error.ts'

/** Bytes that are kept of what a block returned. */
const VALUE_BYTES = 2_000
/** Rows that one call reads, as a page of a list has them. */
const ROWS_OF_A_CALL = 100

/** What is remembered of a batch. */
export function doneBatch({ outcome, calls }: EndedBatch, rows: number, leftOut: number): DoneBatch {
  const value = JSON.stringify(shorten(outcome.value, VALUE_BYTES)).replaceAll('\\u0000', '\\u2400')
  return { rows, leftOut, changes: calls.changes.counts(), value }
}

/** Rows of a batch cost as many calls as their pages would. */
export async function payForRows(budget: CallBudget | undefined, rows: number): Promise<void> {
  for (let paid = 0; paid < rows; paid += ROWS_OF_A_CALL) await budget?.take()
}

/** A rule's refusal ends the run that it would have been recorded with. */
export function asRefused(error: unknown): never {
  throw error instanceof ApiError ? new RecordRefused(backgroundError(error.message)) : error
}

/** What of a list is kept: its filters too, since some lists need one to be asked at all. */
export function keptList({ path, query }: Pick<AskedList, 'path' | 'query'>): string {
  return JSON.stringify({ path, query })
}
