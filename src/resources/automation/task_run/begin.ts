import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { followBuild } from '../../content/ai_site/follow.ts'
import { TaskRun, type TaskRunRow } from './task_run.ts'

/** Claims a run for a job of this service. */
export async function beginRun(context: Context, run: TaskRunRow, runner_job: string): Promise<TaskRunRow> {
  const claimed = { status: 'running' as const, started_at: context.now, runner_job, error_message: null }
  const begun = await changeRow(context, TaskRun, run, claimed)
  context.emit(TaskRun, 'started', begun)
  await followBuild(context, begun)
  return begun
}
