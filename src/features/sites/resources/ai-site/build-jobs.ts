import { type JobContext, type JobType, job } from '../../../../records/job.ts'
import { RUN_EVENTS } from '../../../../resources/automation/task-run/end.ts'
import { oneRunEach } from '../../../../resources/automation/task-run/jobs.ts'
import { watchRun } from '../../../../resources/automation/task-run/watch.ts'
import { type BuilderWork, BuildFailedError, type BuiltSite } from '../../providers/provider.ts'
import { keepFiles, requireServed } from '../site-build/keep-files.ts'
import { BUILD_EVENTS } from './follow.ts'
import { BUILD_SITE, BUILD_SITE_LONG } from './order.ts'
import { type Building, claimBuild, settleBuild } from './settle-build.ts'
import { shopWindowOf } from './shop-window.ts'

const EVENTS = ['ai_task_run.started', ...RUN_EVENTS, ...BUILD_EVENTS]
const TIMEOUT_MS = 60_000
const LONG_TIMEOUT_MS = 300_000

/** Carries out builds that take seconds. The job claims the run first, so that a run is built at most once. */
export const buildSite = job<{ run: string }>(BUILD_SITE.name, {
  emits: EVENTS,
  timeoutMs: TIMEOUT_MS,
  foresee: oneRunEach,
  work: (job, { run }) => doBuild(job, run, 'shortly'),
})

/** Carries out builds that take minutes, in a lane of their own, so that other jobs do not wait for them. */
export const buildSiteLong: JobType<{ run: string }> = {
  ...job<{ run: string }>(BUILD_SITE_LONG.name, {
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

/** The start page is read back from the store before visitors see the build. */
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
