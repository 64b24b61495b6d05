import type { Unit } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** The run of a task whose program is about to be kept, and the job that does it. */
interface DoneRun {
  accountId: string
  run: string
  jobId: string
}

/**
 * Says whether a run may still keep its program's changes, or their plan, and notes that it does. This writes the run's own row
 * in the transaction that keeps them, and whoever cancels the run writes the same row: of the two one comes first, also when
 * they are in different processes.
 */
export async function confirmRun(
  { db }: Pick<Unit<Tables>, 'db'>,
  { accountId, run, jobId }: DoneRun,
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
