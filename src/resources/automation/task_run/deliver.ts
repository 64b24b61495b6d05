import type { Row } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { addressOf } from '../../company/user/current.ts'
import { queueTaskResult } from '../../messages/email/service_mail.ts'
import type { Task } from '../task/task.ts'
import type { TaskRun } from './task_run.ts'

/** Sends the result of a run, or what it asks, in the ways that its task has. */
export async function deliverResult(
  context: Context,
  { delivery_methods, owner_user }: Row<typeof Task>,
  run: Row<typeof TaskRun>,
): Promise<void> {
  if (!delivery_methods.includes('email')) return
  const to = await addressOf(context, owner_user)
  if (to === undefined) return
  const { id, task_name, status, summary, error_message, question } = run
  const data = { id, task: task_name, status, summary, error: error_message, question }
  await queueTaskResult(context, { to, customer: null }, data)
}
