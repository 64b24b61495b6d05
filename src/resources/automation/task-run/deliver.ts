import { laterBy } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../company/account/current.ts'
import { membersOf } from '../../company/user/members.ts'
import { queueTaskFailure, queueTaskResult } from '../../messages/email/service-mail.ts'
import type { TaskRow } from '../task/task.ts'
import type { TaskRunRow } from './task-run.ts'

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

/** E-mails the task's owner, or the account's owners if that person left, about a failed run, at most once a day of real time. */
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
