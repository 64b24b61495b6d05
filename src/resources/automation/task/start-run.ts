import { decidersOf } from '../../../contract/declarations/rights.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, insertRow } from '../../../records/records.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { END_UNCLAIMED, enqueueRun, MOST_DAYS_UNCLAIMED, NO_RUNNER } from '../task-run/enqueue.ts'
import { type RunEvent, TaskRun, type TaskRunRow } from '../task-run/task-run.ts'
import type { TaskRow } from './task.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NO_FIGURES = { input_tokens: 0, output_tokens: 0, credits_consumed: 0, tool_calls_count: 0 }

/** Starts a run and counts it. It is pending until an external agent or a runner of this service claims it. */
export async function startRun(
  context: Context,
  task: TaskRow,
  event: RunEvent | null = null,
): Promise<{ task: TaskRow; run: TaskRunRow }> {
  const inserted = await insertRun(context, task, event)
  const job = await enqueueRun(context, task, inserted)
  const run = job === null ? await awaitAgent(context, inserted) : inserted
  return { task: await countRun(context, task, run), run }
}

/** Lets a run wait some days for an external agent. */
async function awaitAgent(context: Context, run: TaskRunRow): Promise<TaskRunRow> {
  const runAt = laterBy(context.now, MOST_DAYS_UNCLAIMED * DAY_MS)
  await context.enqueue(END_UNCLAIMED, { run: run.id }, { runAt })
  return changeRow(context, TaskRun, run, { error_message: NO_RUNNER })
}

export function insertRun(context: Context, task: TaskRow, event: RunEvent | null): Promise<TaskRunRow> {
  return insertRow(context, TaskRun, {
    ...NO_FIGURES,
    status: 'pending',
    task_id: task.id,
    task: task.id,
    task_name: task.name,
    event,
    limits: decidersOf(context.caller),
    chain: context.caller.origin?.tasks ?? [],
  })
}

/** Updates a task's counters. They are not a change of the task, so no event is emitted and `updated_at` stays. */
export async function countRun(context: Context, task: TaskRow, run: TaskRunRow): Promise<TaskRow> {
  await updateRowsOf(context, 'tasks')
    .set(({ eb }) => ({ last_run: run.id, runs_count: eb('runs_count', '+', 1) }))
    .where('id', '=', task.id)
    .execute()
  return { ...task, last_run: run.id, runs_count: task.runs_count + 1 }
}
