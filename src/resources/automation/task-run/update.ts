import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError, invalid } from '../../../contract/declarations/errors.ts'
import type { Changes } from '../../../contract/declarations/noun.ts'
import { decidersOf, rightOf } from '../../../contract/declarations/rights.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Task } from '../task/task.ts'
import { followRun, requireAllowed } from '../task/uses.ts'
import { deliverResult, endRun, refuseCommitted } from './end.ts'
import { enqueueRun } from './jobs.ts'
import { type RunStatus, TaskRun, type TaskRunRow } from './task-run.ts'

type RunChanges = Changes<typeof TaskRun>

/** Claims, updates, answers or cancels a run, as `TaskRun.states` allows. */
export async function updateRun(context: Context, run: TaskRunRow, given: RunChanges): Promise<TaskRunRow> {
  const { status } = given
  refuse(run, status)
  if (status !== 'canceled') await requireAllowed(context, run.task_id)
  if (status === undefined) {
    requireDecider(context)
    return changeRow(context, TaskRun, run, given)
  }
  await refuseCommitted(context, run)
  if (status === 'running') return run.status === 'pending' ? claim(context, run, given) : resume(context, run, given)
  if (status === 'needs_input') return requestInput(context, run, given)
  return endRun(context, run, { error_message: null, ...given, status: status as 'completed' | 'failed' | 'canceled' })
}

function refuse(run: TaskRunRow, wanted: RunStatus | undefined): void {
  const allowed = TaskRun.states![run.status]!
  if (wanted === undefined ? allowed.length > 0 : allowed.includes(wanted)) return
  const next =
    allowed.length > 0 ? `Its status can become: ${allowed.join(', ')}.` : 'It has finished and cannot change.'
  throw new ApiError('invalid_state', `The task run is ${run.status}. ${next}`)
}

async function claim(context: Context, run: TaskRunRow, given: RunChanges): Promise<TaskRunRow> {
  const claimed = await changeRow(context, TaskRun, run, { error_message: null, ...given, started_at: context.now })
  context.emit(TaskRun, 'started', claimed)
  await followRun(context, claimed)
  return claimed
}

/** Approves the run's plan, which is applied after the commit, or answers the run's question if there is no plan. */
async function resume(context: Context, run: TaskRunRow, given: RunChanges): Promise<TaskRunRow> {
  requireDecider(context)
  if (run.plan === null) {
    if (!given.input) throw invalid({ input: ["can't be blank: it answers the run’s question"] })
    const job = run.asked === null ? null : await continueRun(context, run)
    return changeRow(context, TaskRun, run, { ...given, question: null, runner_job: job })
  }
  const task = await findRow(context, Task, run.task_id)
  const runner_job = task && (await enqueueRun(context, task, run))
  if (!runner_job)
    throw new ApiError('invalid_state', `The task is no longer a program, so ${run.plan} cannot be applied.`)
  const approvers = decidersOf(context.caller)
  return changeRow(context, TaskRun, run, { ...given, question: null, runner_job, approvers })
}

/** Enqueues a run again, so that the service's model receives the answer to its question. */
async function continueRun(context: Context, run: TaskRunRow): Promise<string | null> {
  const task = await findRow(context, Task, run.task_id)
  return task ? enqueueRun(context, task, run) : null
}

/** Throws for tokens that can only propose changes. They cannot even plan this, as plans do not show decisions about runs. */
function requireDecider({ caller }: Context): void {
  if (!isUser(caller)) return
  const rights = [rightOf(caller), ...(caller.limits ?? []).map(({ right }) => right)]
  if (rights.some((right) => right !== 'write'))
    throw new ApiError(
      'permission_denied',
      'An API token that can only propose changes took part in this: a person must answer the run or approve its plan.',
    )
}

async function requestInput(context: Context, run: TaskRunRow, given: RunChanges): Promise<TaskRunRow> {
  const waiting = await changeRow(context, TaskRun, run, {
    ...given,
    question: given.question ?? given.summary ?? null,
  })
  context.emit(TaskRun, 'needs_input', waiting)
  const task = await findRow(context, Task, run.task_id)
  if (task) await deliverResult(context, task, waiting)
  return waiting
}
