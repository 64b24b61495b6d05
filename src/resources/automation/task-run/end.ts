import { sql } from 'kysely'
import { ApiError } from '../../../contract/declarations/errors.ts'
import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import type { Services } from '../../../records/services.ts'
import { currentAccount } from '../../company/account/current.ts'
import { membersOf } from '../../company/user/members.ts'
import { queueTaskFailure, queueTaskResult } from '../../messages/email/service-mail.ts'
import { Task, type TaskRow } from '../task/task.ts'
import { followRun } from '../task/uses.ts'
import { TaskRun, type TaskRunRow } from './task-run.ts'

/** The event types that ending or pausing a run may emit: those of the run, its task and the e-mail about it, but not those of features. */
export const RUN_EVENTS = [
  'ai_task_run.completed',
  'ai_task_run.failed',
  'ai_task_run.canceled',
  'ai_task_run.needs_input',
  'ai_task.updated',
  'email.created',
]

/** Returns `RUN_EVENTS` and the event types that features may emit when a run is claimed or ends. */
export function runEvents({ taskUses }: Pick<Services, 'taskUses'>): string[] {
  return [...RUN_EVENTS, ...taskUses.flatMap(({ events }) => events)]
}

interface RunEnding extends Partial<TaskRunRow> {
  status: 'completed' | 'failed' | 'canceled'
}

/** Ends a run. A manual task becomes inactive, so that activating it again starts another run. */
export async function endRun(
  context: Context,
  run: TaskRunRow,
  { duration_ms, ...ending }: RunEnding,
): Promise<TaskRunRow> {
  const ended = await changeRow(context, TaskRun, run, {
    ...ending,
    question: null,
    completed_at: context.now,
    duration_ms: duration_ms ?? sinceStart(context, run),
    credits_consumed: await creditsOf(context, run.id),
  })
  await rejectPlans(context, run)
  context.emit(TaskRun, ending.status, ended)
  await followRun(context, ended)
  const task = await findRow(context, Task, run.task_id)
  if (task) {
    await deactivateManual(context, task)
    await deliverResult(context, task, ended)
  }
  return ended
}

function sinceStart({ now }: Context, { started_at }: TaskRunRow): number {
  return started_at === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(started_at))
}

/** Returns the credits that a run has spent, from the ledger entries that refer to it. */
export async function creditsOf(context: Context, run: string): Promise<number> {
  const entries = rowsOf(context, 'credit_entries').select(sql<number>`coalesce(sum(delta), 0)`.as('sum'))
  const { sum } = await entries.where('run', '=', run).executeTakeFirstOrThrow()
  return Math.max(0, -sum)
}

async function rejectPlans(context: Context, { id, plan }: TaskRunRow): Promise<void> {
  const open = updateRowsOf(context, 'program_plans').where('state', '=', 'open')
  const made = open.where(({ or, eb }) => or([eb('task_run', '=', id), eb('id', '=', plan ?? '')]))
  await made.set({ state: 'rejected', decided_at: context.realNow }).execute()
}

/** Rejects the open plans of a run except the one that awaits a decision, because the others came from earlier dry runs. */
export async function rejectOtherPlans(context: Context, { id, plan }: TaskRunRow): Promise<void> {
  const open = updateRowsOf(context, 'program_plans').where('state', '=', 'open').where('task_run', '=', id)
  await open
    .where('id', '!=', plan ?? '')
    .set({ state: 'rejected', decided_at: context.realNow })
    .execute()
}

async function deactivateManual(context: Context, task: TaskRow): Promise<void> {
  if (task.trigger_type !== 'manual' || !task.active) return
  await context.remember(Task, [task])
  context.emit(Task, 'updated', await changeRow(context, Task, task, { active: false }))
}

/** Returns whether changes of a run are committed, either by its program or by a person who applied its plan. */
export async function hasCommitted(context: Context, run: TaskRunRow): Promise<boolean> {
  return run.kept || (await stateOfPlan(context, run.plan)) === 'applied'
}

/** Throws `invalid_state` if a run's changes are committed, because the run then ends by itself. */
export async function refuseCommitted(context: Context, run: TaskRunRow): Promise<void> {
  if (await hasCommitted(context, run))
    throw new ApiError('invalid_state', 'The run has already committed its changes, so its status cannot be changed.')
}

export async function stateOfPlan(context: Context, plan: string | null | undefined): Promise<string | undefined> {
  if (!plan) return undefined
  const plans = rowsOf(context, 'program_plans').select('state').where('id', '=', plan)
  return (await plans.executeTakeFirst())?.state
}

const PAUSE_MS = 24 * 60 * 60 * 1000

/** Delivers the result or question of a run as its task requests. Failures are e-mailed even if the task requests no e-mails. */
export async function deliverResult(context: Context, task: TaskRow, run: TaskRunRow): Promise<void> {
  const owner = (await membersOf(context)).get(task.owner_user)
  if (owner && task.delivery_methods.includes('email')) {
    const { id, task_name, status, summary, error_message, question } = run
    const data = { id, task: task_name, status, summary, error: error_message, question }
    await queueTaskResult(context, { to: owner.email, customer: null }, data)
  } else if (run.status === 'failed') await notifyFailure(context, task, run)
}

/**
 * E-mails the task's owner, or the account's owners if that person left, about a failed run: at most once a day in real time, and
 * not if the account has switched these e-mails off.
 */
async function notifyFailure(
  context: Context,
  task: TaskRow,
  { id, task_name, error_message, summary }: TaskRunRow,
): Promise<void> {
  const { failure_told_at: toldAt } = task
  if (toldAt !== null && laterBy(toldAt, PAUSE_MS) > context.realNow) return
  const { subdomain, failed_run_emails: wanted } = await currentAccount(context)
  if (!wanted) return
  await updateRowsOf(context, 'tasks').set({ failure_told_at: context.realNow }).where('id', '=', task.id).execute()
  const members = await membersOf(context)
  const owner = members.get(task.owner_user)
  const recipients = owner ? [owner] : [...members.values()].filter(({ role }) => role === 'owner')
  const url = `${context.publicUrl}/dashboard/${subdomain}/task_runs/${id}`
  const data = { task: task_name, error: error_message, summary, url }
  for (const { email: to } of recipients) await queueTaskFailure(context, { to, customer: null }, data)
}
