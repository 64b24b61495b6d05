import type { Actor } from '../contract/declarations/caller.ts'
import type { Scope } from '../database/database.ts'
import type { Tables } from '../resources/tables.ts'

/** Returns the actors whose rights limit the runs of a task, starting with its owner; null if the account has no such task. */
export async function taskActors({ read }: Scope<Tables>, accountId: string, taskId: string): Promise<Actor[] | null> {
  const tasks = read
    .selectFrom('tasks')
    .select(['owner_user', 'owner_token', 'limits'])
    .where('account_id', '=', accountId)
  const task = await tasks.where('id', '=', taskId).executeTakeFirst()
  if (!task) return null
  return [{ userId: task.owner_user, tokenId: task.owner_token }, ...JSON.parse(task.limits)]
}
