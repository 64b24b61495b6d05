import type { Context } from '../../../../records/context.ts'
import type { JobContext } from '../../../../records/job.ts'
import { changeRow, findRow, insertRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { endRun } from '../../../../resources/automation/task-run/end.ts'
import { allowRun, beginRun, originOf } from '../../../../resources/automation/task-run/jobs.ts'
import { TaskRun } from '../../../../resources/automation/task-run/task-run.ts'
import type { Allowance } from '../../../../resources/company/account/model-allowance.ts'
import type { BuilderWork, SiteBrief } from '../../providers/provider.ts'
import { removeOldBuilds } from '../site-build/remove.ts'
import { SiteBuild } from '../site-build/site-build.ts'
import { briefOf, enqueueBuild, findBuilder, siteOfTask } from './order.ts'

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
