import type { RunOrigin } from '../../../../contract/declarations/caller.ts'
import { decode } from '../../../../records/columns.ts'
import type { Context, Enqueueable } from '../../../../records/context.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { hasModel } from '../../../../resources/company/account/model-allowance.ts'
import type { SiteBrief, SiteBuilder } from '../../providers/provider.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'

/** The job for builds that take seconds; `BUILD_SITE_LONG` is for builds that take minutes. */
export const BUILD_SITE: Enqueueable<{ run: string }> = { name: 'site.build' }
export const BUILD_SITE_LONG: Enqueueable<{ run: string }> = { name: 'site.build_long' }

/** Returns null if the task builds no site or an external agent builds it. */
export async function enqueueBuild(
  context: Context,
  run: { id: string; task_id: string },
  origin: RunOrigin,
): Promise<string | null> {
  const site = await siteOfTask(context, run.task_id)
  const work = site && (await findBuilder(context, briefOf(site))).work
  if (!work) return null
  return context.enqueue(work.lasts === 'long' ? BUILD_SITE_LONG : BUILD_SITE, { run: run.id }, { origin })
}

export async function siteOfTask(context: Context, taskId: string): Promise<AiSiteRow | undefined> {
  const raw = await rowsOf(context, 'sites').selectAll().where('build_task', '=', taskId).executeTakeFirst()
  return raw && decode<AiSiteRow>(AiSite, raw)
}

export function briefOf({ id, name, prompt, subdomain, github_repo_full_name }: AiSiteRow): SiteBrief {
  return { id, name, prompt, subdomain, repository: github_repo_full_name }
}

/** A model builds from the brief if the service or the account has one. */
export async function findBuilder(context: Context, brief: SiteBrief): Promise<SiteBuilder> {
  return context.services.builders.find(brief, { model: await hasModel(context) })
}
