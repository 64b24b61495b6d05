import type { Consequence } from '../../../contract/declarations/consequence.ts'
import { withoutImplied } from '../../../contract/declarations/rights.ts'
import type { Assignment, RunOutcome, TaskRunner } from '../../../providers/runners/provider.ts'
import type { Context } from '../../../records/context.ts'
import { dueJob, type JobContext, type JobType, job } from '../../../records/job.ts'
import { PLAN_DECIDED, type PlanDecision } from '../../../records/plan-decision.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { type Allowance, hasModel, settleTokens } from '../../company/account/model-allowance.ts'
import { Task, type TaskRow } from '../task/task.ts'
import { enqueueForFeature, tasksOfFeatures } from '../task/uses.ts'
import { allowRun, beginRun, originOf, watchRun } from './begin.ts'
import { creditsOf, deliverResult, endRun, hasCommitted, RUN_EVENTS, rejectOtherPlans, stateOfPlan } from './end.ts'
import { TaskRun, type TaskRunRow } from './task-run.ts'

/** The time limit of a run without a model. It includes waiting for a free sandbox and two programs of at most 5 seconds each. */
const TIMEOUT_MS = 30_000
const LONG_TIMEOUT_MS = 300_000
/** The maximum number of input and output tokens of one run. */
const MOST_TOKENS = 300_000
/** The time that agents have to claim a run. Until it is claimed, the task's schedule starts no other run. */
export const MOST_DAYS_UNCLAIMED = 7
const UNCLAIMED = `No agent claimed this run within ${MOST_DAYS_UNCLAIMED} days.`
const LOST =
  'Its runner stopped before reporting a result. The run is not repeated automatically; check what it did before you run it again.'

/** Executes a run in this service. The run is claimed first, so that it is executed at most once. */
export const runTask = job<{ run: string }>('run_task', {
  emits: ['ai_task_run.started', ...RUN_EVENTS],
  timeoutMs: TIMEOUT_MS,
  foresee: oneRunEach,
  work: doRun,
})

/** Executes a run with a model, which takes minutes. A separate lane keeps such runs from delaying other jobs. */
export const runLongTask: JobType<{ run: string }> = {
  ...job<{ run: string }>('run_long_task', {
    emits: ['ai_task_run.started', ...RUN_EVENTS],
    timeoutMs: LONG_TIMEOUT_MS,
    foresee: oneRunUnlessOfFeature,
    work: doRun,
  }),
  lane: 'long',
}

export async function oneRunEach(_: Context, runs: { run: string }[]): Promise<Consequence[]> {
  return runs.map(() => ({ kind: 'task_run' }))
}

/** Returns the side effects of the runs, without runs of features, because the jobs of features report those. */
async function oneRunUnlessOfFeature(context: Context, runs: { run: string }[]): Promise<Consequence[]> {
  const ids = runs.map(({ run }) => run)
  const found = await rowsOf(context, 'task_runs').select('task_id').where('id', 'in', ids).execute()
  const others = await tasksOfFeatures(
    context,
    found.map(({ task_id }) => task_id),
  )
  return found.filter(({ task_id }) => !others.has(task_id)).map(() => ({ kind: 'task_run' }))
}

async function doRun(job: JobContext, { run: id }: { run: string }): Promise<void> {
  const claimed = await job.transaction((context) => claim(context, id, job))
  if (!claimed) return
  const { runner, assignment, allowance } = claimed
  const watch = watchRun(job, id)
  const outcome = await runner.run(assignment, watch.signal).finally(() => watch.end())
  // If the job was aborted, its next attempt ends the run as lost.
  job.signal.throwIfAborted()
  await job.finish(async (context) => {
    if (allowance) await settleTokens(context, allowance, outcome)
    await settle(context, id, job.jobId, outcome)
  })
}

/** Ends a run whose plan was withdrawn, or was applied or rejected directly instead of through the run. */
export const planDecided = dueJob<PlanDecision>(PLAN_DECIDED, {
  emits: RUN_EVENTS,
  async work(context, { plan, state, output }) {
    const found = rowsOf(context, 'task_runs').select('id').where('plan', '=', plan).where('status', '=', 'needs_input')
    const waiting = await found.executeTakeFirst()
    const run = waiting && (await findRow(context, TaskRun, waiting.id))
    if (!run) return
    if (state === 'applied') await endRun(context, run, { status: 'completed', summary: output ?? run.summary })
    else await endRun(context, run, { status: 'canceled' })
  },
})

/** Fails a run that nobody has claimed. A run that an external agent has claimed has no time limit. */
export const endUnclaimed = dueJob<{ run: string }>('end_unclaimed_run', {
  emits: RUN_EVENTS,
  async work(context, { run: id }) {
    const run = await findRow(context, TaskRun, id)
    if (run?.status === 'pending' && run.runner_job === null)
      await endRun(context, run, { status: 'failed', error_message: UNCLAIMED })
  },
})

interface ClaimedRun {
  runner: TaskRunner
  assignment: Assignment
  allowance: Allowance | null
}

/** Claims a run. Returns null when the run was canceled, claimed by another runner or lost in an earlier attempt. */
async function claim(context: Context, id: string, { jobId, attempt }: JobContext): Promise<ClaimedRun | null> {
  const run = await findRow(context, TaskRun, id)
  if (!run) return null
  const isMine = run.status === 'running' && run.runner_job === jobId
  if (isMine && attempt > 1) {
    await failLost(context, run)
    return null
  }
  const task = await findRow(context, Task, run.task_id)
  if (!task || (!isMine && run.status !== 'pending')) return null
  const runner = await findRunner(context, task.prompt)
  // External agents execute runs of features, because the model here has only the two MCP tools, which cannot do this work.
  if (!runner || (runner.needsModel && (await tasksOfFeatures(context, [task.id])).size > 0)) return null
  if (!isMine) await beginRun(context, run, jobId)
  // An approved plan is applied without the model.
  const asksModel = runner.needsModel && run.plan === null
  const allowance = asksModel ? await allowRun(context, run, MOST_TOKENS) : null
  if (asksModel && !allowance) return null
  return { runner, assignment: assignmentOf(task, run, { jobId, allowance }), allowance }
}

function assignmentOf(
  task: TaskRow,
  run: TaskRunRow,
  { jobId, allowance }: { jobId: string; allowance: Allowance | null },
): Assignment {
  const { account_id: accountId, prompt, approval_mode, owner_user: userId, owner_token: tokenId } = task
  return {
    prompt,
    owner: { accountId, userId, tokenId, limits: withoutImplied([...task.limits, ...run.limits]) },
    origin: originOf(run),
    jobId,
    supervised: approval_mode === 'supervised',
    plan: run.plan,
    approvers: run.plan === null ? [] : run.approvers,
    event: run.event,
    distrusted: run.event !== null && !task.trust_events,
    modelId: task.model_id,
    model: allowance && { models: allowance.models, tokens: allowance.tokens },
    answered: run.asked !== null && run.input !== null ? { question: run.asked, answer: run.input } : null,
  }
}

async function failLost(context: Context, run: TaskRunRow): Promise<void> {
  if (await hasCommitted(context, run)) await endRun(context, run, { status: 'completed' })
  else await endRun(context, run, { status: 'failed', error_message: LOST })
}

async function settle(context: Context, id: string, jobId: string, outcome: RunOutcome): Promise<void> {
  const run = await findRow(context, TaskRun, id)
  if (run?.status !== 'running' || run.runner_job !== jobId) return
  const { status, summary, error, question, plan, calls, durationMs, inputTokens, outputTokens } = outcome
  const figures = {
    tool_calls_count: run.tool_calls_count + calls,
    input_tokens: run.input_tokens + inputTokens,
    output_tokens: run.output_tokens + outputTokens,
    summary: summary ?? run.summary,
  }
  if (status === 'needs_input')
    return requestInput(context, run, { ...figures, question, plan, asked: plan === null ? question : null })
  const error_message = error ?? undefined
  await endRun(context, run, { ...figures, status, error_message, duration_ms: (run.duration_ms ?? 0) + durationMs })
}

async function requestInput(context: Context, run: TaskRunRow, asked: Partial<TaskRunRow>): Promise<void> {
  const decided = await stateOfPlan(context, asked.plan)
  if (decided === 'applied' || (await hasCommitted(context, run)))
    await endRun(context, run, { ...asked, status: 'completed' })
  else if (decided === 'rejected' || decided === 'withdrawn')
    await endRun(context, run, { ...asked, status: 'canceled' })
  else await waitForInput(context, run, asked)
}

async function waitForInput(context: Context, run: TaskRunRow, asked: Partial<TaskRunRow>): Promise<void> {
  const credits_consumed = await creditsOf(context, run.id)
  const waiting = await changeRow(context, TaskRun, run, {
    ...asked,
    credits_consumed,
    status: 'needs_input',
    runner_job: null,
  })
  await rejectOtherPlans(context, waiting)
  context.emit(TaskRun, 'needs_input', waiting)
  const task = await findRow(context, Task, run.task_id)
  if (task) await deliverResult(context, task, waiting)
}

/** The message of a pending run that this service cannot execute. Claiming the run clears the message. */
export const NO_RUNNER =
  'No model is set up, so this run waits until an agent of yours claims it, for 7 days at most; then it fails. Connect a model under Settings, Model, then run the task again, or ask whoever runs this service for one.'

/**
 * Enqueues the job that executes a run. Returns the job's id, or null if this service cannot execute the run. If a feature owns
 * the task, its job is enqueued, unless the task is a Ruby program.
 */
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
  return context.enqueue(runner.lasts === 'long' ? runLongTask : runTask, { run: run.id }, { origin: originOf(run) })
}

/** Finds the runner for a prompt: first one that needs no model, then one that uses the model of the service or the account. */
async function findRunner(context: Context, prompt: string): Promise<TaskRunner | undefined> {
  const { tasks } = context.services
  return tasks.find(prompt, { model: false }) ?? tasks.find(prompt, { model: await hasModel(context) })
}
