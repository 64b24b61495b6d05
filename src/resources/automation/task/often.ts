import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { endRun } from '../task_run/end.ts'
import type { RunEvent } from '../task_run/task_run.ts'
import { countRun, insertRun } from './start_run.ts'
import { Task, type TaskRow } from './task.ts'

/** Runs that may start within an hour by the account's clock: what goes around by way of the outside is stopped here. */
const HOUR_MS = 60 * 60 * 1000
const MOST_OF_TASK = 1_000
const MOST_OF_ACCOUNT = 5_000

/** Why events may start no further run of a task now; null when they may. */
export async function tooOften(context: Context, task: TaskRow): Promise<string | null> {
  const runs = rowsOf(context, 'task_runs').select('created_at').orderBy('id', 'desc').limit(1)
  const since = laterBy(context.now, -HOUR_MS)
  const ofTask = await runs
    .where('task_id', '=', task.id)
    .offset(MOST_OF_TASK - 1)
    .executeTakeFirst()
  if (ofTask && ofTask.created_at > since) return `The task ran ${MOST_OF_TASK} times within an hour`
  const ofAccount = await runs.offset(MOST_OF_ACCOUNT - 1).executeTakeFirst()
  if (ofAccount && ofAccount.created_at > since)
    return `The tasks of the account ran ${MOST_OF_ACCOUNT} times within an hour`
  return null
}

/** Pauses a task in place of a further run; a failed run says why. */
export async function pauseTask(context: Context, task: TaskRow, event: RunEvent, why: string): Promise<void> {
  await context.remember(Task, [task])
  const paused = await changeRow(context, Task, task, { active: false })
  context.emit(Task, 'updated', paused)
  const run = await insertRun(context, task, event)
  await countRun(context, paused, run)
  const error_message = `${why}, so it was paused: its events may be triggering it in a loop. Set active to true to resume it.`
  await endRun(context, run, { status: 'failed', error_message })
}
