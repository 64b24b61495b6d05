import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import type { TaskRunner } from '../../../outside/runners/provider.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { hasModel } from '../../company/account/own_model.ts'
import { enqueueBuild } from '../../content/ai_site/order.ts'
import type { TaskRow } from '../task/task.ts'
import type { TaskRunRow } from './task_run.ts'

/** The jobs that let a runner of this service do a run: one that takes seconds, and one that takes minutes. */
export const RUN_TASK: Enqueueable<{ run: string }> = { name: 'run_task' }
export const RUN_LONG_TASK: Enqueueable<{ run: string }> = { name: 'run_long_task' }

/** Ends a run that no agent has claimed in time. */
export const END_UNCLAIMED: Enqueueable<{ run: string }> = { name: 'end_unclaimed_run' }

/** Days that a run waits for an agent: it keeps its task from running again. */
export const MOST_DAYS_UNCLAIMED = 7

/** Why a run in plain words waits, while nothing of this service takes it. An agent that claims it clears this. */
export const NO_RUNNER =
  'No model is set up, so this run waits until an agent of yours claims it, for 7 days at most; then it fails. Connect a model under Settings, Model, then run the task again, or ask whoever runs this service for one.'

/** Leaves a run to a builder or a runner of this service, where one takes it. A program is run even for a site. Returns the job's id. */
export async function enqueueRun(
  context: Context,
  { prompt }: Pick<TaskRow, 'prompt'>,
  run: TaskRunRow,
): Promise<string | null> {
  const runner = await findRunner(context, prompt)
  const isProgram = runner !== undefined && !runner.needsModel
  const build = isProgram ? null : await enqueueBuild(context, run, originOf(run))
  if (build !== null) return build
  if (!runner) return null
  return context.enqueue(runner.lasts === 'long' ? RUN_LONG_TASK : RUN_TASK, { run: run.id }, { origin: originOf(run) })
}

/** What is done for a run comes from it, and from the runs that led to it. */
export function originOf({ id, chain, task_id }: TaskRunRow): RunOrigin {
  return { run: id, tasks: [...new Set([...chain, task_id])] }
}

/** The runner of this service that takes a prompt, if one does: most need a model of the service's or of the account's. */
export async function findRunner(context: Context, prompt: string): Promise<TaskRunner | undefined> {
  const { tasks } = context.services
  return tasks.find(prompt, { model: false }) ?? tasks.find(prompt, { model: await hasModel(context) })
}
