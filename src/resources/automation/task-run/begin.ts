import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { requireMaySpendFor } from '../../company/account/credits.ts'
import { type Allowance, allowTokens } from '../../company/account/model-allowance.ts'
import { Task } from '../task/task.ts'
import { followRun } from '../task/uses.ts'
import { endRun } from './end.ts'
import { TaskRun, type TaskRunRow } from './task-run.ts'

/** Returns the run and the tasks whose runs led to it, as the origin of everything done for the run. */
export function originOf({ id, chain, task_id }: TaskRunRow): RunOrigin {
  return { run: id, tasks: [...new Set([...chain, task_id])] }
}

/** Reserves tokens for a run's model. Fails the run and returns null without enough credits or the right to spend them. */
export async function allowRun(context: Context, run: TaskRunRow, most: number): Promise<Allowance | null> {
  try {
    const task = await findRow(context, Task, run.task_id)
    const owner = { userId: task?.owner_user ?? '', tokenId: task?.owner_token ?? null }
    const capped = await requireMaySpendFor(context, withoutImplied([owner, ...(task?.limits ?? []), ...run.limits]))
    return await allowTokens(context, { most, reason: 'task_run', reference: run.id, capped })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await endRun(context, run, { status: 'failed', error_message: error.message })
    return null
  }
}

/** Claims a run for a job of this service. */
export async function beginRun(context: Context, run: TaskRunRow, runner_job: string): Promise<TaskRunRow> {
  const claimed = { status: 'running' as const, started_at: context.now, runner_job, error_message: null }
  const begun = await changeRow(context, TaskRun, run, claimed)
  context.emit(TaskRun, 'started', begun)
  await followRun(context, begun)
  return begun
}
