import type { Context, Enqueueable } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'
import { siteOfTask } from './order.ts'

/** Event types that `followBuild` may emit. */
export const BUILD_EVENTS = ['ai_site.updated', 'site.live', 'site.failed']

/** What an agent has reported of a site, until its address has answered. */
export interface Reported {
  site: string
  run: string
  url: string
  repository: string | null
  /** From 1. */
  attempt: number
}

/** The job that asks for the address that an agent has reported. */
export const CHECK_ADDRESS: Enqueueable<Reported> = { name: 'site.check_address' }

/** One try at building: a run of the site's build task. */
export interface BuildRun {
  id: string
  task_id: string
  status: 'pending' | 'running' | 'needs_input' | 'completed' | 'failed' | 'canceled'
  /** What whoever carried it out says of it. */
  summary: string | null
}

/** Books what the newest run of a task means for the site that the task builds, if it builds one. What emits its events needs `BUILD_EVENTS`. */
export async function followBuild(context: Context, run: BuildRun): Promise<void> {
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

/** What this service has built is booked by the job that built it. Where an agent has put a site is looked at first. */
async function followCompleted(context: Context, site: AiSiteRow, run: BuildRun): Promise<void> {
  if (await isBuiltHere(context, run.id)) return
  const { url, repository } = context.services.builders.readReport(run.summary)
  if (url !== null) {
    await context.enqueue(CHECK_ADDRESS, { site: site.id, run: run.id, url, repository, attempt: 1 })
    return
  }
  // It is somewhere already, so it need not be said again.
  if (siteUrl(context, site) === null) await bookBuild(context, site, { build_status: 'failed' })
  else await bookBuild(context, site, { ...LIVE, ...repositoryOf(repository) })
}

export const LIVE = { build_status: 'live', is_live: true } as const

export function repositoryOf(repository: string | null): Partial<AiSiteRow> {
  return repository === null ? {} : { github_repo_full_name: repository }
}

/** Changes a site as its build goes on, with the event of that. A site that is live stays so while it is built again, and when that fails. */
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

/** A task that is deleted builds nothing any more. */
export async function forgetBuildTask(context: Context, taskId: string): Promise<void> {
  await updateRowsOf(context, 'sites').set({ build_task: null }).where('build_task', '=', taskId).execute()
}

async function isBuiltHere(context: Context, run: string): Promise<boolean> {
  const builds = rowsOf(context, 'site_builds').select('id').where('task_run', '=', run)
  return (await builds.where('status', '=', 'complete').executeTakeFirst()) !== undefined
}

/** Whether a task has begun a newer run. */
export async function isOlder(context: Context, { id, task_id }: Pick<BuildRun, 'id' | 'task_id'>): Promise<boolean> {
  const task = await rowsOf(context, 'tasks').select('last_run').where('id', '=', task_id).executeTakeFirst()
  return task !== undefined && task.last_run !== id
}
