import { type Actor, isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../contract/declarations/noun.ts'
import { actorsOf, decidersOf, withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow, findRows, insertRow } from '../../../records/records.ts'
import { requireFewer, rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { endRun, hasCommitted } from '../task-run/end.ts'
import { TaskRun, UNFINISHED } from '../task-run/task-run.ts'
import { requireSource } from './sources.ts'
import { startByHand } from './start-run.ts'
import { Task, type TaskRow } from './task.ts'
import { planNext, settleTrigger } from './trigger.ts'
import { forgetTask, requireAllowed } from './uses.ts'

/** The fields that decide when a task runs and whether a person reviews its runs first. */
const DECISIVE_FIELDS = [
  'trigger_type',
  'cron_expression',
  'interval_seconds',
  'scheduled_at',
  'timezone',
  'event_types',
  'event_source',
  'approval_mode',
  'trust_events',
  'active',
  'expires_at',
] as const
/** The maximum number of people and tokens whose rights limit one task. */
const MOST_LIMITS = 50

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
  await requireFewer(rowsOf(context, 'tasks'), MOST_TASKS, 'tasks')
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
  const created = isStarted ? await startByHand(context, planned) : planned
  return context.emit(Task, 'created', created)
}

/** Updates a task. A new prompt makes the caller its owner; changing when or how it runs adds the caller's rights as a limit. */
export async function updateTask(context: Context, task: TaskRow, given: Changes<typeof Task>): Promise<TaskRow> {
  await requireAllowed(context, task.id)
  await requireSource(context, given)
  const trigger = settleTrigger(context, given, task)
  const owner = given.prompt === undefined ? {} : ownerOf(context)
  const methods = given.delivery_methods && { delivery_methods: [...new Set(given.delivery_methods)] }
  const changed = await changeRow(context, Task, task, { ...given, ...trigger, ...methods, ...owner })
  const bounded = await changeRow(context, Task, changed, { limits: limitsAfter(context, task, changed) })
  return context.emit(Task, 'updated', await rescheduled(context, task, bounded))
}

async function rescheduled(context: Context, before: TaskRow, changed: TaskRow): Promise<TaskRow> {
  const isPlanned = SCHEDULE_FIELDS.some((name) => changed[name] !== before[name])
  if (!isPlanned && changed.expires_at === before.expires_at) return changed
  const begun = isPlanned ? await changeRow(context, Task, changed, { scheduled_from: context.now }) : changed
  const planned = await planNext(context, begun)
  return startsManually(planned) && !startsManually(before) ? await startByHand(context, planned) : planned
}

function startsManually({ trigger_type, active }: TaskRow): boolean {
  return trigger_type === 'manual' && active
}

/** Returns the owner of a prompt that the caller writes, and the other people and tokens whose rights limit its runs. */
function ownerOf({ caller }: Context): Pick<TaskRow, 'owner_user' | 'owner_token' | 'limits'> {
  if (!isUser(caller)) return { owner_user: '', owner_token: null, limits: [] }
  const owner = { userId: caller.userId, tokenId: caller.kind === 'token' ? caller.tokenId : null }
  const limits = actorsOf(caller).filter((actor) => !isSame(actor, owner))
  return { owner_user: owner.userId, owner_token: owner.tokenId, limits }
}

/**
 * Returns the people and tokens, besides the owner, whose rights limit a task's runs after a change. A caller who changes when or
 * how another person's prompt runs is added, so that the runs have only rights that both have.
 */
function limitsAfter(context: Context, before: TaskRow, changed: TaskRow): Actor[] {
  if (!DECISIVE_FIELDS.some((name) => widens(name, before, changed))) return changed.limits
  const owner = { userId: changed.owner_user, tokenId: changed.owner_token }
  const all = withoutImplied([owner, ...changed.limits, ...decidersOf(context.caller)])
  if (all.length > MOST_LIMITS)
    throw new ApiError(
      'invalid_state',
      `More than ${MOST_LIMITS} people and tokens have changed how this task runs. Set its prompt again to run it with only your rights.`,
    )
  return all.filter((actor) => !isSame(actor, owner))
}

/** Returns whether a change lets a task do more. Activating a manual task does not, because it starts one run with limits of its own. */
function widens(name: (typeof DECISIVE_FIELDS)[number], before: TaskRow, changed: TaskRow): boolean {
  if (JSON.stringify(before[name]) === JSON.stringify(changed[name])) return false
  if (name === 'active') return changed.active && changed.trigger_type !== 'manual'
  if (name === 'trust_events') return changed.trust_events
  return name !== 'approval_mode' || changed.approval_mode === 'auto'
}

function isSame(one: Actor, other: Actor): boolean {
  return one.userId === other.userId && one.tokenId === other.tokenId
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
  await forgetTask(context, task.id)
  context.emit(Task, 'deleted', task)
}
