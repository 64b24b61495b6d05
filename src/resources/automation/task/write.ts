import { sql } from 'kysely'
import { invalid } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, findRows, insertRow } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { forgetBuildTask } from '../../content/ai-site/follow.ts'
import { requireOpenBuild } from '../../content/ai-site/open.ts'
import { endRun, hasCommitted } from '../task-run/end.ts'
import { TaskRun, UNFINISHED } from '../task-run/task-run.ts'
import { limitsAfter, ownerOf } from './owner.ts'
import { requireSource } from './source.ts'
import { startRun } from './start-run.ts'
import { Task, type TaskRow } from './task.ts'
import { planNext, settleTrigger } from './trigger.ts'

/** The fields that decide when a task runs next. */
const SCHEDULE_FIELDS = [
  'trigger_type',
  'cron_expression',
  'interval_seconds',
  'scheduled_at',
  'timezone',
  'active',
] as const

/** Limits the tasks of an account, because every event is matched against all of them. */
const MOST_TASKS = 500

/** Creates a task. A manual task starts its first run at once. */
export async function createTask(context: Context, input: CreateInput<typeof Task>): Promise<TaskRow> {
  await requireSource(context, input)
  const trigger = settleTrigger(context, input)
  await requireRoom(context)
  const task = await insertRow(context, Task, {
    ...input,
    ...trigger,
    ...ownerOf(context),
    delivery_methods: [...new Set(input.delivery_methods)],
    scheduled_from: context.now,
    runs_count: 0,
  })
  const planned = await planNext(context, task)
  const isStarted = planned.active && planned.trigger_type === 'manual'
  const created = isStarted ? (await startRun(context, planned)).task : planned
  context.emit(Task, 'created', created)
  return created
}

async function requireRoom(context: Context): Promise<void> {
  const tasks = rowsOf(context, 'tasks').select(sql<number>`count(*)`.as('count'))
  const { count } = await tasks.executeTakeFirstOrThrow()
  if (Number(count) >= MOST_TASKS)
    throw invalid({ base: [`An account has at most ${MOST_TASKS} tasks; delete one first`] })
}

/** Updates a task. Writing the prompt makes the caller its owner; changing how it runs limits its runs to the caller's rights. */
export async function updateTask(context: Context, task: TaskRow, given: Changes<typeof Task>): Promise<TaskRow> {
  await requireOpenBuild(context, task.id)
  await requireSource(context, given)
  const trigger = settleTrigger(context, given, task)
  const owner = given.prompt === undefined ? {} : ownerOf(context)
  const methods = given.delivery_methods && { delivery_methods: [...new Set(given.delivery_methods)] }
  const changed = await changeRow(context, Task, task, { ...given, ...trigger, ...methods, ...owner })
  const bounded = await changeRow(context, Task, changed, { limits: limitsAfter(context, task, changed) })
  const updated = await rescheduled(context, task, bounded)
  context.emit(Task, 'updated', updated)
  return updated
}

async function rescheduled(context: Context, before: TaskRow, changed: TaskRow): Promise<TaskRow> {
  const isPlanned = SCHEDULE_FIELDS.some((name) => changed[name] !== before[name])
  if (!isPlanned && changed.expires_at === before.expires_at) return changed
  const begun = isPlanned ? await changeRow(context, Task, changed, { scheduled_from: context.now }) : changed
  const planned = await planNext(context, begun)
  return startsManually(planned) && !startsManually(before) ? (await startRun(context, planned)).task : planned
}

function startsManually({ trigger_type, active }: TaskRow): boolean {
  return trigger_type === 'manual' && active
}

/** Deletes a task and cancels its unfinished runs, except runs with committed changes. The records of all runs stay. */
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
