import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import { decidersOf } from '../../../contract/declarations/rights.ts'
import { DAY_MS, HOUR_MS, laterBy } from '../../../contract/values/values.ts'
import { START_EVENT_RUN, type TriggeredRuns } from '../../../events/task-triggers.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, findRows, insertRow, requireRow } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'
import { EventSource } from '../event-source/event-source.ts'
import { endRun, RUN_EVENTS } from '../task-run/end.ts'
import { endUnclaimed, enqueueRun, MOST_DAYS_UNCLAIMED, NO_RUNNER } from '../task-run/jobs.ts'
import { type RunEvent, TaskRun, type TaskRunRow } from '../task-run/task-run.ts'
import { Task, type TaskRow } from './task.ts'
import { planNext, TASK_DUE } from './trigger.ts'

/** The largest event data that a run stores in full, in characters of JSON. */
const MAX_EVENT = 100_000

/** A transaction that starts more runs would block other writers for too long. */
const RUNS_PER_TRANSACTION = 20

/** Runs a task at its scheduled time, or ends an expired task. After downtime, one run makes up for all missed times. */
export const taskDue = dueJob<{ task: string }>(TASK_DUE.name, {
  emits: RUN_EVENTS,
  /** Empty, because the job sends e-mails only when it pauses a task that runs too often, which no plan can foresee. */
  foresee: async () => [],
  async work(context, { task: id }) {
    const task = await findRow(context, Task, id)
    if (!task?.active) return
    if (isOver(context, task)) return expire(context, task)
    if (task.next_run_at === null || task.next_run_at > context.now) return
    const planned = await planNext(context, task)
    if (!(await isWaiting(context, task))) await startRunOf(context, planned, null)
  },
})

export const startEventRuns = dueJob<TriggeredRuns>(START_EVENT_RUN.name, {
  emits: RUN_EVENTS,
  foresee: async (_, triggered) => triggered.flatMap(({ tasks }) => tasks.map(() => ({ kind: 'task_run' }))),
  async work(context, { event: eventId, tasks }) {
    const row = await rowsOf(context, 'events').selectAll().where('id', '=', eventId).executeTakeFirst()
    if (!row) return
    const event = boundedEvent(row)
    for (const id of tasks.slice(0, RUNS_PER_TRANSACTION)) await startForEvent(context, id, event)
    const others = tasks.slice(RUNS_PER_TRANSACTION)
    if (others.length > 0) await context.enqueue(startEventRuns, { event: eventId, tasks: others })
  },
})

async function startForEvent(context: Context, id: string, event: RunEvent): Promise<void> {
  const task = await findRow(context, Task, id)
  if (!task?.active || task.trigger_type !== 'event' || isOver(context, task)) return
  await startRunOf(context, task, event)
}

function isOver({ now }: Context, { expires_at }: TaskRow): boolean {
  return expires_at !== null && expires_at <= now
}

async function expire(context: Context, task: TaskRow): Promise<void> {
  await context.remember(Task, [task])
  const ended = await changeRow(context, Task, task, { active: false })
  context.emit(Task, 'updated', await planNext(context, ended))
}

/** Returns whether a run waits to be claimed or answered; scheduled runs would otherwise pile up. */
async function isWaiting(context: Context, { id }: TaskRow): Promise<boolean> {
  const runs = rowsOf(context, 'task_runs').select('id').where('task_id', '=', id)
  return (await runs.where('status', 'in', ['pending', 'needs_input']).executeTakeFirst()) !== undefined
}

/** Returns an event of the account as runs show it. Very large data is reduced to the id of the resource. */
function boundedEvent({ id, type, data, previous_attributes, created_at }: Tables['events']): RunEvent {
  const previous = previous_attributes === null || previous_attributes.length > MAX_EVENT ? null : previous_attributes
  return {
    id,
    type,
    created_at,
    data: data.length > MAX_EVENT ? reduced(JSON.parse(data)) : JSON.parse(data),
    ...(previous !== null && { previous_attributes: JSON.parse(previous) }),
  }
}

function reduced({ id, object }: Record<string, unknown>): Record<string, unknown> {
  return { id, object, truncated: true }
}

/**
 * The maximum number of runs of a task, and of an account, per hour of the account's clock, to stop loops through external
 * systems. The second applies only to runs that events start.
 */
const MOST_OF_TASK = 1_000
const MOST_OF_ACCOUNT = 5_000
/** The maximum number of tasks in a chain of runs that start one another, because a run could create new tasks endlessly. */
const MOST_IN_CHAIN = 20

/** Starts a run of each active task of an event source and returns their number. The operation or job must declare `RUN_EVENTS`. */
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

export async function sourceIsUsed(context: Context, id: string): Promise<boolean> {
  return (await activeTasksOf(context, id)).length > 0
}

export async function requireSource(context: Context, { event_source: id }: Changes<typeof Task>): Promise<void> {
  if (id != null) await requireRow(context, EventSource, id, 'event_source')
}

/** Removes an event source from its tasks before the source is deleted. */
export async function forgetSource(context: Context, id: string): Promise<void> {
  const rows = await rowsOf(context, 'tasks').select('id').where('event_source', '=', id).execute()
  const found = await findNamed(context, Task, 'id', rows)
  const tasks = [...found.values()]
  await context.remember(Task, tasks)
  for (const task of tasks) context.emit(Task, 'updated', await changeRow(context, Task, task, { event_source: null }))
}

/** Starts a run of an active task for an event, or by its schedule. Returns false and pauses the task instead if it runs too often. */
async function startRunOf(context: Context, task: TaskRow, event: RunEvent | null): Promise<boolean> {
  const why = await tooOften(context, task, event)
  if (why === null) await startRun(context, task, event)
  else await pauseTask(context, task, event, why)
  return why === null
}

/** Starts a manual task. Throws `invalid_state` if the task has led to the caller's run, or if the chain of tasks is too long. */
export async function startByHand(context: Context, task: TaskRow): Promise<TaskRow> {
  const chain = context.caller.origin?.tasks ?? []
  if (chain.includes(task.id))
    throw new ApiError(
      'invalid_state',
      'A run cannot start a task that has led to it; use a schedule to repeat a task.',
    )
  if (chain.length >= MOST_IN_CHAIN) throw new ApiError('invalid_state', `${CHAIN_TOO_LONG}.`)
  return (await startRun(context, task)).task
}

async function activeTasksOf(context: Context, source: string): Promise<TaskRow[]> {
  const tasks = rowsOf(context, 'tasks').select('id').where('event_source', '=', source).where('active', '=', 1)
  const ids = (await tasks.orderBy('id').execute()).map(({ id }) => id)
  const found = [...(await findRows(context, Task, ids)).values()]
  return found.filter(({ expires_at }) => expires_at === null || expires_at > context.now)
}

const CHAIN_TOO_LONG = `Runs of ${MOST_IN_CHAIN} tasks, each started by the one before, led to this one`

async function tooOften(context: Context, task: TaskRow, event: RunEvent | null): Promise<string | null> {
  if (event && (context.caller.origin?.tasks.length ?? 0) >= MOST_IN_CHAIN) return CHAIN_TOO_LONG
  const runs = rowsOf(context, 'task_runs').select('created_at').orderBy('id', 'desc').limit(1)
  const since = laterBy(context.now, -HOUR_MS)
  const ofTask = await runs
    .where('task_id', '=', task.id)
    .offset(MOST_OF_TASK - 1)
    .executeTakeFirst()
  if (ofTask && ofTask.created_at > since) return `The task ran ${MOST_OF_TASK} times within an hour`
  if (!event) return null
  const ofAccount = await runs.offset(MOST_OF_ACCOUNT - 1).executeTakeFirst()
  if (ofAccount && ofAccount.created_at > since)
    return `The tasks of the account ran ${MOST_OF_ACCOUNT} times within an hour`
  return null
}

async function pauseTask(context: Context, task: TaskRow, event: RunEvent | null, why: string): Promise<void> {
  await context.remember(Task, [task])
  const paused = await planNext(context, await changeRow(context, Task, task, { active: false }))
  context.emit(Task, 'updated', paused)
  const run = await insertRun(context, task, event)
  await countRun(context, paused, run)
  const error_message = `${why}, so it was paused: it may be triggering itself in a loop. Set active to true to resume it.`
  await endRun(context, run, { status: 'failed', error_message })
}

const NO_FIGURES = { input_tokens: 0, output_tokens: 0, credits_consumed: 0, tool_calls_count: 0 }

/** Starts a run and counts it. It is pending until an external agent or a runner of this service claims it. */
async function startRun(
  context: Context,
  task: TaskRow,
  event: RunEvent | null = null,
): Promise<{ task: TaskRow; run: TaskRunRow }> {
  const inserted = await insertRun(context, task, event)
  const job = await enqueueRun(context, task, inserted)
  const run = job === null ? await awaitAgent(context, inserted) : inserted
  return { task: await countRun(context, task, run), run }
}

/** Lets a run wait for an external agent, for at most MOST_DAYS_UNCLAIMED days. */
async function awaitAgent(context: Context, run: TaskRunRow): Promise<TaskRunRow> {
  const runAt = laterBy(context.now, MOST_DAYS_UNCLAIMED * DAY_MS)
  await context.enqueue(endUnclaimed, { run: run.id }, { runAt })
  return changeRow(context, TaskRun, run, { error_message: NO_RUNNER })
}

function insertRun(context: Context, task: TaskRow, event: RunEvent | null): Promise<TaskRunRow> {
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
async function countRun(context: Context, task: TaskRow, run: TaskRunRow): Promise<TaskRow> {
  await updateRowsOf(context, 'tasks')
    .set(({ eb }) => ({ last_run: run.id, runs_count: eb('runs_count', '+', 1) }))
    .where('id', '=', task.id)
    .execute()
  return { ...task, last_run: run.id, runs_count: task.runs_count + 1 }
}
