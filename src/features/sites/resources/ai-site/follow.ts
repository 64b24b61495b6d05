import type { Context, Enqueueable } from '../../../../records/context.ts'
import type { FollowedRun } from '../../../../records/extensions.ts'
import { changeRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import { siteOfTask } from './order.ts'

export const BUILD_EVENTS = ['ai_site.updated', 'site.live', 'site.failed']

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

/** A build by this service has already updated the site; a URL that an agent reported is checked first. */
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
