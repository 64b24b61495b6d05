import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import type { JobContext } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
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

/** The interval at which a job checks whether its run was canceled. Most programs end before the first check. */
const CHECK_INTERVAL_MS = 250

/** Returns a signal that aborts when the run is canceled, or deleted with its account. */
export function watchRun(job: JobContext, id: string): { signal: AbortSignal; end(): void } {
  const canceled = new AbortController()
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      if (!(await isRunning(job, id))) canceled.abort()
    } catch {
      // Errors are ignored, because the transaction that commits the program's changes checks the run again.
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, CHECK_INTERVAL_MS)
  return { signal: AbortSignal.any([job.signal, canceled.signal]), end: () => clearInterval(timer) }
}

function isRunning(job: JobContext, id: string): Promise<boolean> {
  return job.read(async (context) => {
    const run = rowsOf(context, 'task_runs').select('status').where('id', '=', id)
    return (await run.executeTakeFirst())?.status === 'running'
  })
}
