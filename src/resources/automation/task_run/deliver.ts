import type { Context } from '../../../records/context.ts'
import { membersOf } from '../../company/user/members.ts'
import { queueTaskResult } from '../../messages/email/service_mail.ts'
import type { TaskRow } from '../task/task.ts'
import type { TaskRunRow } from './task_run.ts'
import { tellOfFailure } from './tell_of_failure.ts'

/** Sends the result of a run, or what it asks, in the ways that its task has. A failure is told also where it has none. */
export async function deliverResult(context: Context, task: TaskRow, run: TaskRunRow): Promise<void> {
  const owner = (await membersOf(context)).get(task.owner_user)
  if (owner && task.delivery_methods.includes('email')) {
    const { id, task_name, status, summary, error_message, question } = run
    const data = { id, task: task_name, status, summary, error: error_message, question }
    await queueTaskResult(context, { to: owner.email, customer: null }, data)
  } else if (run.status === 'failed') await tellOfFailure(context, task, run)
}
