import { START_EVENT_RUN, type TriggeredRuns } from '../../../events/task-triggers.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import type { Tables } from '../../tables.ts'
import { RUN_EVENTS } from '../task-run/end.ts'
import type { RunEvent } from '../task-run/task-run.ts'
import { startRunOf } from './start-run.ts'
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
