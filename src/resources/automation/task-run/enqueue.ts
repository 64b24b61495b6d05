import type { RunOrigin } from '../../../contract/declarations/caller.ts'
import type { TaskRunner } from '../../../providers/runners/provider.ts'
import type { Context, Enqueueable } from '../../../records/context.ts'
import { hasModel } from '../../company/account/own-model.ts'
import type { TaskRow } from '../task/task.ts'
import { enqueueForFeature } from '../task/uses.ts'
import type { TaskRunRow } from './task-run.ts'

/** `RUN_TASK` executes runs that take seconds, and `RUN_LONG_TASK` runs that take minutes. */
export const RUN_TASK: Enqueueable<{ run: string }> = { name: 'run_task' }
export const RUN_LONG_TASK: Enqueueable<{ run: string }> = { name: 'run_long_task' }

/** Ends a run that no agent has claimed within MOST_DAYS_UNCLAIMED. */
export const END_UNCLAIMED: Enqueueable<{ run: string }> = { name: 'end_unclaimed_run' }

/** The time for agents to claim a run. Meanwhile, the task's schedule starts no other run. */
export const MOST_DAYS_UNCLAIMED = 7

/** The message of a pending run that this service cannot execute. Claiming the run clears the message. */
export const NO_RUNNER =
  'No model is set up, so this run waits until an agent of yours claims it, for 7 days at most; then it fails. Connect a model under Settings, Model, then run the task again, or ask whoever runs this service for one.'

/** Returns the job's id, or null if this service cannot execute the run. A Ruby program is run even if its task belongs to a feature. */
export async function enqueueRun(
  context: Context,
  { prompt }: Pick<TaskRow, 'prompt'>,
  run: TaskRunRow,
): Promise<string | null> {
  const runner = await findRunner(context, prompt)
  const isProgram = runner !== undefined && !runner.needsModel
  const job = isProgram ? null : await enqueueForFeature(context, run, originOf(run))
  if (job !== null) return job
  if (!runner) return null
  return context.enqueue(runner.lasts === 'long' ? RUN_LONG_TASK : RUN_TASK, { run: run.id }, { origin: originOf(run) })
}

/** Returns the run and the tasks whose runs led to it, as the origin of everything done for the run. */
export function originOf({ id, chain, task_id }: TaskRunRow): RunOrigin {
  return { run: id, tasks: [...new Set([...chain, task_id])] }
}

/** Most runners need a model of the service or the account. */
export async function findRunner(context: Context, prompt: string): Promise<TaskRunner | undefined> {
  const { tasks } = context.services
  return tasks.find(prompt, { model: false }) ?? tasks.find(prompt, { model: await hasModel(context) })
}
