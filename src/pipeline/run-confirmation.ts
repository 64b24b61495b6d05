import type { Transaction } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

interface TaskRunKey {
  accountId: string
  run: string
  jobId: string
}

/**
 * Records that a task run stores its program's changes or plan. Returns false if the run was canceled. A cancellation updates the same
 * row, so the row lock decides which of the two comes first, even across processes.
 */
export async function confirmRun(
  { db }: Pick<Transaction<Tables>, 'db'>,
  { accountId, run, jobId }: TaskRunKey,
  kept: 'changes' | 'plan',
): Promise<boolean> {
  const row = db.updateTable('task_runs').where('account_id', '=', accountId).where('id', '=', run)
  const { numUpdatedRows } = await row
    .set(kept === 'changes' ? { kept: 1 } : { runner_job: jobId })
    .where('status', '=', 'running')
    .where('runner_job', '=', jobId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account_deletions').select('id').where('id', '=', accountId))),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
