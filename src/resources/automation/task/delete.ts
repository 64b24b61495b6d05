import type { Context } from '../../../records/context.ts'
import { deleteRow, findRows } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { forgetBuildTask } from '../../content/ai_site/follow.ts'
import { endRun } from '../task_run/end.ts'
import { hasCommitted } from '../task_run/kept.ts'
import { TaskRun, UNFINISHED } from '../task_run/task_run.ts'
import { Task, type TaskRow } from './task.ts'

/** What waits of its runs is canceled, and those whose changes are committed come to their end; their records stay. */
export async function deleteTask(context: Context, task: TaskRow): Promise<void> {
  if (task.due_job !== null) await context.cancel(task.due_job)
  const open = rowsOf(context, 'task_runs').select('id').where('task_id', '=', task.id)
  const ids = (await open.where('status', 'in', UNFINISHED).execute()).map(({ id }) => id)
  await updateRowsOf(context, 'task_runs').set({ task: null }).where('task_id', '=', task.id).execute()
  await deleteRow(context, Task, task)
  for (const run of (await findRows(context, TaskRun, ids)).values())
    if (!(await hasCommitted(context, run))) await endRun(context, run, { status: 'canceled' })
  await forgetBuildTask(context, task.id)
  context.emit(Task, 'deleted', task)
}
