import type { RunOrigin } from '../../../../contract/declarations/caller.ts'
import { cut } from '../../../../contract/values/values.ts'
import { counted } from '../../../../format/counts.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import type { FollowedRun } from '../../../../records/extensions.ts'
import { type JobContext, type JobType, job } from '../../../../records/job.ts'
import { changeRow, findRow, insertRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { allowRun, beginRun, originOf, watchRun } from '../../../../resources/automation/task-run/begin.ts'
import { endRun, RUN_EVENTS } from '../../../../resources/automation/task-run/end.ts'
import { oneRunEach } from '../../../../resources/automation/task-run/jobs.ts'
import { TaskRun, type TaskRunRow } from '../../../../resources/automation/task-run/task-run.ts'
import { type Allowance, hasModel, settleTokens } from '../../../../resources/company/account/model-allowance.ts'
import {
  type BuilderWork,
  BuildFailedError,
  type BuiltSite,
  type SiteBrief,
  type SiteBuilder,
} from '../../providers/provider.ts'
import { keepFiles, removeOldBuilds, requireServed } from '../site-build/files.ts'
import { LONGEST_PROBLEM, MOST_PROBLEMS, SiteBuild } from '../site-build/site-build.ts'
import { servedUrl, siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import { shopWindowOf } from './shop-window.ts'

export const BUILD_EVENTS = ['ai_site.updated', 'site.live', 'site.failed']

const MAX_ERROR = 2_000

/** Records the outcome of a build. After a success, the site shows the new build; after a failure, it keeps the current one. */
async function settleBuild(context: Context, building: Building, outcome: BuiltSite | BuildFailedError): Promise<void> {
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

/** Makes the site show the build. The one that it showed before becomes the previous build, which can be restored. */
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

interface Building {
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
 * Claims the run for this job and creates the row of its build. Returns null if there is nothing to build here, for example
 * because the run was canceled, claimed by another job or lost in an earlier attempt. If the build now takes minutes, because the
 * account has added a model since, enqueues the job for long builds instead.
 */
async function claimBuild(
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

const EVENTS = ['ai_task_run.started', ...RUN_EVENTS, ...BUILD_EVENTS]
const TIMEOUT_MS = 60_000
const LONG_TIMEOUT_MS = 300_000

/** Carries out builds that take seconds. It claims the run first, so that a run is built at most once. */
export const buildSite = job<{ run: string }>('site.build', {
  emits: EVENTS,
  timeoutMs: TIMEOUT_MS,
  foresee: oneRunEach,
  work: (job, { run }) => doBuild(job, run, 'shortly'),
})

/** Carries out builds that take minutes, in a lane of their own, so that other jobs do not wait for them. */
export const buildSiteLong: JobType<{ run: string }> = {
  ...job<{ run: string }>('site.build_long', {
    emits: EVENTS,
    timeoutMs: LONG_TIMEOUT_MS,
    foresee: oneRunEach,
    work: (job, { run }) => doBuild(job, run, 'long'),
  }),
  lane: 'long',
}

async function doBuild(job: JobContext, run: string, lasts: BuilderWork['lasts']): Promise<void> {
  const building = await job.transaction((context) => claimBuild(context, { run, lasts }, job))
  if (!building) return
  const watch = watchRun(job, run)
  const outcome = await build(job, building, watch.signal)
    .catch((error: unknown) => failure(error, watch.signal))
    .finally(() => watch.end())
  await job.finish((context) => settleBuild(context, building, outcome))
}

/** Builds the site and stores its files. Reads the start page back from the store, before visitors can see the build. */
async function build(job: JobContext, building: Building, signal: AbortSignal): Promise<BuiltSite> {
  const { brief, build, work, allowance } = building
  const model = allowance && { models: allowance.models, tokens: allowance.tokens }
  const shop = await shopWindowOf(job)
  const built = await work.build({ brief, shop, model, signal })
  await keepFiles({ ...job, signal }, build, built.files)
  await requireServed(job, build)
  return built
}

/** Returns the failure of a build that failed or was stopped, and rethrows all other errors. */
function failure(error: unknown, signal: AbortSignal): BuildFailedError {
  if (error instanceof BuildFailedError) return error
  if (signal.aborted) return new BuildFailedError(['The build was stopped.'])
  throw error
}

/** A URL that an agent reported and that still has to be checked. */
export interface ReportedAddress {
  site: string
  run: string
  url: string
  repository: string | null
  /** Counts from 1. */
  attempt: number
}

export const CHECK_ADDRESS: Enqueueable<ReportedAddress> = { name: 'site.check_address' }

/** Updates the site that the task builds, if any, from the task's newest run. */
export async function followBuild(context: Context, run: FollowedRun): Promise<void> {
  const site = await siteOfTask(context, run.task_id)
  if (!site || (await isOlder(context, run))) return
  if (run.status === 'completed') return followCompleted(context, site, run)
  await bookBuild(context, site, { build_status: STATES[run.status] })
}

const STATES = {
  pending: 'queued',
  running: 'building',
  needs_input: 'building',
  failed: 'failed',
  canceled: 'failed',
} as const

/**
 * Updates the site after a completed run. A build by this service has already updated it. A URL that an agent reported is checked
 * first.
 */
async function followCompleted(context: Context, site: AiSiteRow, run: FollowedRun): Promise<void> {
  if (await isBuiltHere(context, run.id)) return
  const { url, repository } = context.services.builders.readReport(run.summary)
  if (url !== null) {
    await context.enqueue(CHECK_ADDRESS, { site: site.id, run: run.id, url, repository, attempt: 1 })
    return
  }
  // If the site already has a URL, the agent's report may omit it.
  if (siteUrl(context, site) === null) await bookBuild(context, site, { build_status: 'failed' })
  else await bookBuild(context, site, { ...LIVE, ...repositoryOf(repository) })
}

export const LIVE = { build_status: 'live', is_live: true } as const

export function repositoryOf(repository: string | null): Partial<AiSiteRow> {
  return repository === null ? {} : { github_repo_full_name: repository }
}

/** Updates a site's build status and emits the event. A live site stays live during a rebuild and after a failed one. */
export async function bookBuild(
  context: Context,
  site: AiSiteRow,
  changes: Partial<AiSiteRow> & Pick<AiSiteRow, 'build_status'>,
): Promise<void> {
  const { build_status: state } = changes
  if (Object.keys(changes).length === 1 && state === site.build_status && state !== 'live') return
  await context.remember(AiSite, [site])
  const changed = await changeRow(context, AiSite, site, changes)
  if (state === site.build_status && state !== 'live') context.emit(AiSite, 'updated', changed)
  else if (state === 'live') context.emit(AiSite, 'site.live', changed)
  else if (state === 'failed') context.emit(AiSite, 'site.failed', changed)
  else context.emit(AiSite, 'updated', changed)
}

async function isBuiltHere(context: Context, run: string): Promise<boolean> {
  const builds = rowsOf(context, 'site_builds').select('id').where('task_run', '=', run)
  return (await builds.where('status', '=', 'complete').executeTakeFirst()) !== undefined
}

/** Whether the task has started a newer run. */
export async function isOlder(
  context: Context,
  { id, task_id }: Pick<FollowedRun, 'id' | 'task_id'>,
): Promise<boolean> {
  const task = await rowsOf(context, 'tasks').select('last_run').where('id', '=', task_id).executeTakeFirst()
  return task !== undefined && task.last_run !== id
}

/** Enqueues the build of a run and returns the job's id; null if the task builds no site or an agent builds it. */
export async function enqueueBuild(
  context: Context,
  run: { id: string; task_id: string },
  origin: RunOrigin,
): Promise<string | null> {
  const site = await siteOfTask(context, run.task_id)
  const work = site && (await findBuilder(context, briefOf(site))).work
  if (!work) return null
  return context.enqueue(work.lasts === 'long' ? buildSiteLong : buildSite, { run: run.id }, { origin })
}

export async function siteOfTask(context: Context, taskId: string): Promise<AiSiteRow | undefined> {
  const raw = await rowsOf(context, 'sites').selectAll().where('build_task', '=', taskId).executeTakeFirst()
  return raw && decode(AiSite, raw)
}

export function briefOf({ id, name, prompt, subdomain, github_repo_full_name }: AiSiteRow): SiteBrief {
  return { id, name, prompt, subdomain, repository: github_repo_full_name }
}

/** Returns the builder for a brief. It may be a model if the service or the account has one. */
export async function findBuilder(context: Context, brief: SiteBrief): Promise<SiteBuilder> {
  return context.services.builders.find(brief, { model: await hasModel(context) })
}
