import { nextTime, type Schedule } from '../../../contract/values/schedule.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import type { TaskRow } from './task.ts'

/** The job of what falls due next: a run of the schedule, or the end of the task. */
export const TASK_DUE: Enqueueable<{ task: string }> = { name: 'task_due' }

/** Plans what falls due next for a task, in place of what was planned. That is no change of the task, so nothing is emitted. */
export async function planNext(context: Context, task: TaskRow): Promise<TaskRow> {
  if (task.due_job !== null) await context.cancel(task.due_job)
  const next_run_at = nextRunAt(task, context.now)
  const runAt = next_run_at ?? (task.active ? task.expires_at : null)
  const due_job = runAt === null ? null : await context.enqueue(TASK_DUE, { task: task.id }, { runAt })
  const planned = { next_run_at, due_job }
  await updateRowsOf(context, 'tasks').set(planned).where('id', '=', task.id).execute()
  return { ...task, ...planned }
}

/** Null for a task that is paused, has no schedule, or is over before its next time. */
function nextRunAt(task: TaskRow, now: string): string | null {
  const schedule = task.active ? scheduleOf(task) : null
  const next = schedule && nextTime(schedule, now)
  return next !== null && (task.expires_at === null || next < task.expires_at) ? next : null
}

function scheduleOf(task: TaskRow): Schedule | null {
  const { cron_expression: expression, interval_seconds: seconds, scheduled_at: at, timezone: timeZone } = task
  if (expression !== null) return { kind: 'cron', expression, timeZone }
  if (seconds !== null) return { kind: 'interval', seconds, from: task.scheduled_from ?? task.created_at }
  return at === null ? null : { kind: 'once', at }
}
