import { cut } from '../../../../contract/values/values.ts'
import { counted } from '../../../../format/counts.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import type { Context } from '../../../../records/context.ts'
import type { JobContext } from '../../../../records/job.ts'
import { changeRow, findRow, insertRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { allowRun, beginRun } from '../../../../resources/automation/task-run/allow.ts'
import { endRun } from '../../../../resources/automation/task-run/end.ts'
import { originOf } from '../../../../resources/automation/task-run/enqueue.ts'
import { TaskRun, type TaskRunRow } from '../../../../resources/automation/task-run/task-run.ts'
import { type Allowance, settleTokens } from '../../../../resources/company/account/model-allowance.ts'
import { type BuilderWork, BuildFailedError, type BuiltSite, type SiteBrief } from '../../providers/provider.ts'
import { removeOldBuilds } from '../site-build/remove.ts'
import { LONGEST_PROBLEM, MOST_PROBLEMS, SiteBuild } from '../site-build/site-build.ts'
import { servedUrl } from './address.ts'
import { AiSite } from './ai-site.ts'
import { bookBuild, isOlder, LIVE } from './follow.ts'
import { briefOf, enqueueBuild, findBuilder, siteOfTask } from './order.ts'

const MAX_ERROR = 2_000

/** After a success, the site shows the new build; after a failure, it keeps the current one. */
export async function settleBuild(
  context: Context,
  building: Building,
  outcome: BuiltSite | BuildFailedError,
): Promise<void> {
  const problem = outcome instanceof BuildFailedError ? outcome : null
  const use = 'use' in outcome ? outcome.use : outcome
  if (building.allowance) await settleTokens(context, building.allowance, use)
  const run = await findRow(context, TaskRun, building.run)
  const isMine = run?.status === 'running' && run.runner_job === building.jobId
  const failed = problem ?? (isMine ? null : new BuildFailedError([CANCELED]))
  if (failed) await closeBuild(context, building, 'failed', failed.problems)
  else await closeBuild(context, building, 'complete', 'notes' in outcome ? outcome.notes : [])
  if (isMine) {
    const tokens = { input_tokens: use.inputTokens, output_tokens: use.outputTokens }
    if (failed)
      await endRun(context, run, { ...tokens, status: 'failed', error_message: cut(failed.message, MAX_ERROR) })
    else await showBuild(context, building, run, tokens)
  }
  await removeOldBuilds(context, building.site)
}

const CANCELED = 'The run of the build task was canceled.'

async function closeBuild(
  context: Context,
  { build: id }: Building,
  status: 'failed' | 'complete',
  given: readonly string[],
): Promise<void> {
  const build = await findRow(context, SiteBuild, id)
  const problems = given.slice(0, MOST_PROBLEMS).map((one) => cut(one, LONGEST_PROBLEM))
  if (build) await changeRow(context, SiteBuild, build, { status, problems })
}

/** The build that the site showed before can be restored. */
async function showBuild(
  context: Context,
  building: Building,
  run: TaskRunRow,
  tokens: Partial<TaskRunRow>,
): Promise<void> {
  const site = await findRow(context, AiSite, building.site)
  if (!site || (await isOlder(context, run))) {
    await endRun(context, run, { ...tokens, status: 'canceled' })
    return
  }
  const { current_build } = site
  const previous_build = current_build ?? site.previous_build
  const shown = { ...LIVE, current_build: building.build, previous_build, reported_url: null }
  await bookBuild(context, site, shown)
  const summary = await summaryOf(context, building, servedUrl(context, site))
  await endRun(context, run, { ...tokens, status: 'completed', summary })
}

async function summaryOf(context: Context, { build: id }: Building, url: string | null): Promise<string> {
  const build = await findRow(context, SiteBuild, id)
  const { files_count = 0, bytes = 0, problems = [] } = build ?? {}
  const lines = [
    ...(url === null ? [] : [`app_url: ${url}`]),
    `${counted(files_count, 'file')}, ${bytesInWords(bytes)}.`,
  ]
  return [...lines, ...problems].join('\n')
}

const LOST = 'The service stopped before the build was done. Make the build task active to build the site again.'

export interface Building {
  run: string
  jobId: string
  site: string
  /** The id of the row in `site_builds`. */
  build: string
  brief: SiteBrief
  work: BuilderWork
  /** The tokens that the model may use; null if the build uses no model. */
  allowance: Allowance | null
}

/**
 * Returns null if the run was canceled, claimed by another job or lost in an earlier attempt. If the build now takes minutes, because
 * the account has added a model since, the job for long builds is enqueued.
 */
export async function claimBuild(
  context: Context,
  { run: id, lasts }: { run: string; lasts: BuilderWork['lasts'] },
  { jobId, attempt }: Pick<JobContext, 'jobId' | 'attempt'>,
): Promise<Building | null> {
  const run = await findRow(context, TaskRun, id)
  if (attempt > 1) await forgetAttempt(context, id)
  if (run?.status === 'running' && run.runner_job === jobId && attempt > 1) {
    await endRun(context, run, { status: 'failed', error_message: LOST })
    return null
  }
  const site = run?.status === 'pending' ? await siteOfTask(context, run.task_id) : undefined
  if (!run || !site) return null
  const brief = briefOf(site)
  const { name: builder, work } = await findBuilder(context, brief)
  if (!work) return null
  if (work.lasts === 'long' && lasts === 'shortly') {
    await enqueueBuild(context, run, originOf(run))
    return null
  }
  const claimed = await beginRun(context, run, jobId)
  const allowance = work.tokens === null ? null : await allowRun(context, claimed, work.tokens)
  if (work.tokens !== null && !allowance) return null
  const blank = { store: null, problems: [], files_count: 0, bytes: 0 }
  const made = { site: site.id, task_run: run.id, builder, status: 'building' as const, ...blank }
  const build = await insertRow(context, SiteBuild, made)
  return { run: run.id, jobId, site: site.id, build: build.id, brief, work, allowance }
}

async function forgetAttempt(context: Context, run: string): Promise<void> {
  const begun = rowsOf(context, 'site_builds').select('id').where('task_run', '=', run).where('status', '=', 'building')
  for (const { id } of await begun.execute()) {
    const build = await findRow(context, SiteBuild, id)
    if (!build) continue
    await changeRow(context, SiteBuild, build, { status: 'failed', problems: [LOST] })
    await removeOldBuilds(context, build.site)
  }
}
