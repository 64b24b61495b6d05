import type { Caller } from '../../contract/declarations/caller.ts'
import type { Scope } from '../../database/database.ts'
import type { ProgramPlanRow } from '../../pipeline/program-plans.ts'
import { plannedBy } from '../../records/background/keep.ts'
import type { Tables } from '../../resources/tables.ts'
import { planUnavailableError, type RunError } from '../program/run-error.ts'
import type { BatchParts } from './background.ts'
import { ApprovedBatch } from './next-batch.ts'

/** Returns the first batch of a background program whose plan was approved. It processes the rows of the dry run. */
export async function approvedBatch(
  { database, ...parts }: BatchParts & { database: Scope<Tables> },
  { account_id: accountId, id }: ProgramPlanRow,
  approver: Caller,
): Promise<ApprovedBatch | RunError> {
  const row = await plannedBy({ db: database.read, accountId }, id)
  if (!row) return planUnavailableError('The rows that the plan was made with are no longer kept.')
  return new ApprovedBatch(parts, row, approver)
}
