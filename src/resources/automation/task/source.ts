import type { Changes } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRows, requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { EventSource } from '../event_source/event_source.ts'
import type { RunEvent } from '../task_run/task_run.ts'
import { pauseTask, tooOften } from './often.ts'
import { startRun } from './start_run.ts'
import { Task, type TaskRow } from './task.ts'

/**
 * Starts a run of each active task that an event source has, in the transaction that takes the event. The operation or job needs
 * `RUN_EVENTS` among what it emits. Returns how many runs were started.
 */
export async function startRunsOfSource(
  context: Context,
  source: { id: string },
  event: Pick<RunEvent, 'type' | 'data'>,
): Promise<number> {
  let started = 0
  for (const task of await activeTasksOf(context, source.id))
    started += (await startRunOf(context, task, event)) ? 1 : 0
  return started
}

/** Whether an active task has the event source. */
export async function sourceIsUsed(context: Context, id: string): Promise<boolean> {
  return (await activeTasksOf(context, id)).length > 0
}

/** A task can only be given a source that there is. Throws a 404. */
export async function requireSource(context: Context, { event_source: id }: Changes<typeof Task>): Promise<void> {
  if (id != null) await requireRow(context, EventSource, id, 'event_source')
}

/** Takes a source that is about to be deleted from the tasks that are paused. */
export async function forgetSource(context: Context, id: string): Promise<void> {
  const rows = await rowsOf(context, 'tasks').select('id').where('event_source', '=', id).execute()
  const found = await findRows(
    context,
    Task,
    rows.map((row) => row.id),
  )
  const tasks = [...found.values()]
  await context.remember(Task, tasks)
  for (const task of tasks) context.emit(Task, 'updated', await changeRow(context, Task, task, { event_source: null }))
}

/** Starts a run of an active task for an event; false where that would be too often, and the task is paused. */
export async function startRunOf(context: Context, task: TaskRow, event: RunEvent): Promise<boolean> {
  const why = await tooOften(context, task)
  if (why === null) await startRun(context, task, event)
  else await pauseTask(context, task, event, why)
  return why === null
}

async function activeTasksOf(context: Context, source: string): Promise<TaskRow[]> {
  const tasks = rowsOf(context, 'tasks').select('id').where('event_source', '=', source).where('active', '=', 1)
  const ids = (await tasks.orderBy('id').execute()).map(({ id }) => id)
  const found = [...(await findRows(context, Task, ids)).values()]
  return found.filter(({ expires_at }) => expires_at === null || expires_at > context.now)
}
