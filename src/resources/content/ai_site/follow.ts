import type { Row } from '../../../contract/declarations/noun.ts'
import type { BuildOutcome, BuildRun } from '../../../outside/building/provider.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { rowsOf, updateRowsOf } from '../../../records/rows-of.ts'
import { AiSite } from './ai_site.ts'

type SiteRow = Row<typeof AiSite>

/** Event types that `followBuild` may emit. */
export const BUILD_EVENTS = ['ai_site.updated', 'site.live', 'site.failed']

interface Followed extends BuildRun {
  id: string
  task_id: string
}

/** Books what the newest run of a task means for the site that the task builds, if it builds one. What emits its events needs `BUILD_EVENTS`. */
export async function followBuild(context: Context, run: Followed): Promise<void> {
  const site = await siteOf(context, run.task_id)
  if (!site || (await isOlder(context, run))) return
  const outcome = settled(context.services.builder.outcomeOf(run), site)
  if (outcome.state === site.build_status && outcome.state !== 'live') return
  await context.remember(AiSite, [site])
  const changed = await changeRow(context, AiSite, site, changesBy(outcome, site))
  if (outcome.state === 'live') context.emit(AiSite, 'site.live', changed)
  else if (outcome.state === 'failed') context.emit(AiSite, 'site.failed', changed)
  else context.emit(AiSite, 'updated', changed)
}

/** A build that ends without saying where the site is has not put it online, unless it is somewhere already. */
function settled(outcome: BuildOutcome, site: SiteRow): BuildOutcome {
  const isNowhere = outcome.state === 'live' && outcome.url === null && site.app_url === null
  return isNowhere ? { state: 'failed' } : outcome
}

/** A task that is deleted builds nothing any more. */
export async function forgetBuildTask(context: Context, taskId: string): Promise<void> {
  await updateRowsOf(context, 'sites').set({ build_task: null }).where('build_task', '=', taskId).execute()
}

/** A site that is live stays so while it is built again, and when that fails. */
function changesBy(outcome: BuildOutcome, site: SiteRow): Partial<SiteRow> {
  if (outcome.state !== 'live') return { build_status: outcome.state }
  return {
    build_status: 'live',
    is_live: true,
    app_url: outcome.url ?? site.app_url,
    github_repo_full_name: outcome.repository ?? site.github_repo_full_name,
  }
}

async function siteOf(context: Context, taskId: string): Promise<SiteRow | undefined> {
  const raw = await rowsOf(context, 'sites').selectAll().where('build_task', '=', taskId).executeTakeFirst()
  return raw && decode<SiteRow>(AiSite, raw)
}

async function isOlder(context: Context, { id, task_id }: Followed): Promise<boolean> {
  const task = await rowsOf(context, 'tasks').select('last_run').where('id', '=', task_id).executeTakeFirst()
  return task !== undefined && task.last_run !== id
}
