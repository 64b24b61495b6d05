import type { TaskRunner } from '../../../outside/runners/provider.ts'
import type { Context } from '../../../records/context.ts'
import { hasModel } from '../../company/account/own_model.ts'

/** The runner of this service that takes a prompt, if one does: most need a model of the service's or of the account's. */
export async function findRunner(context: Context, prompt: string): Promise<TaskRunner | undefined> {
  const { tasks } = context.services
  return tasks.find(prompt, { model: false }) ?? tasks.find(prompt, { model: await hasModel(context) })
}
