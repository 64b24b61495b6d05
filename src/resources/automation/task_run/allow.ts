import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Row } from '../../../contract/declarations/noun.ts'
import { withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { requireMaySpendFor } from '../../company/account/may_spend.ts'
import { type Allowance, allowTokens } from '../../company/account/model_allowance.ts'
import { Task } from '../task/task.ts'
import { endRun } from './end.ts'
import type { TaskRun } from './task_run.ts'

/** What the model may take for a run, in the name of all whose rights bound it. The run fails where that is nothing. */
export async function allowRun(context: Context, run: Row<typeof TaskRun>, most: number): Promise<Allowance | null> {
  try {
    const task = await findRow(context, Task, run.task_id)
    const owner = { userId: task?.owner_user ?? '', tokenId: task?.owner_token ?? null }
    await requireMaySpendFor(context, withoutImplied([owner, ...(task?.limits ?? []), ...run.limits]))
    return await allowTokens(context, { most, reason: 'task_run', reference: run.id })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await endRun(context, run, { status: 'failed', error_message: error.message })
    return null
  }
}
