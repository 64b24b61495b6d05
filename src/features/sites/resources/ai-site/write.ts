import { isUser } from '../../../../contract/declarations/caller.ts'
import { invalid, missingParameter } from '../../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../../contract/declarations/noun.ts'
import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { cut } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { changeRow, deleteRow, findRow, insertRow } from '../../../../records/records.ts'
import { Task } from '../../../../resources/automation/task/task.ts'
import { createTask, deleteTask } from '../../../../resources/automation/task/write.ts'
import { originOf } from '../../../../resources/automation/task-run/jobs.ts'
import { TaskRun } from '../../../../resources/automation/task-run/task-run.ts'
import { isOfService } from '../../../../resources/content/domain-names.ts'
import { claimed, planCheck } from '../../../../resources/content/own-domain.ts'
import { removeOldBuilds } from '../site-build/remove.ts'
import { freeSubdomain, requireFreeSubdomain } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import { SITE_DOMAIN } from './domain.ts'
import { domainColumns, domainOf } from './jobs.ts'
import { requireOpen } from './open.ts'
import { briefOf, enqueueBuild, findBuilder } from './order.ts'

const MAX_TASK_NAME = 100

type Input = CreateInput<typeof AiSite>

/** The number of words of the prompt that become the site's name. */
const NAME_WORDS = 6
const MAX_NAME = 60

export async function createSite(context: Context, input: Input): Promise<AiSiteRow> {
  requireBrief(input)
  const name = input.name ?? nameOf(input)
  if (input.subdomain) await requireFreeSubdomain(context, input.subdomain)
  const subdomain = input.subdomain ?? (await freeSubdomain(context, name))
  const creator = isUser(context.caller) ? context.caller.userId : ''
  const site = await insertRow(context, AiSite, { ...input, name, subdomain, creator })
  const built = await startBuilding(context, site)
  context.emit(AiSite, 'created', built)
  return built
}

/** Throws a 400 if there is neither a prompt nor a repository. */
export function requireBrief({ prompt, github_repo_full_name }: Partial<Input>): void {
  if (!prompt && !github_repo_full_name) throw missingParameter('prompt')
}

function nameOf({ prompt, github_repo_full_name }: Input): string {
  const brief = prompt ? withoutMarker(prompt) : ''
  const words = brief ? brief.split(/\s+/).slice(0, NAME_WORDS).join(' ') : (github_repo_full_name?.split('/')[1] ?? '')
  const cut = [...words].slice(0, MAX_NAME).join('')
  return cut.replace(/[\s.,;:!?–-]+$/, '') || 'Site'
}

/** Creates the site's build task, whose first run is enqueued if this service builds the site. */
async function startBuilding(context: Context, site: AiSiteRow): Promise<AiSiteRow> {
  const brief = briefOf(site)
  const builder = await findBuilder(context, brief)
  const task = await createTask(context, {
    name: cut(`Build site ${site.name}`, MAX_TASK_NAME),
    prompt: builder.instructionsFor(brief),
    ...{ trigger_type: 'manual', approval_mode: 'auto', trust_events: false, active: true, timezone: 'UTC' },
    ...{ event_types: [], delivery_methods: [] },
  })
  const linked = await changeRow(context, AiSite, site, { build_task: task.id })
  const run = task.last_run && (await findRow(context, TaskRun, task.last_run))
  if (run) await enqueueBuild(context, run, originOf(run))
  return linked
}

/** An unverified domain in the request starts a new series of checks, even if it is the same as before. */
export async function updateSite(
  context: Context,
  site: AiSiteRow,
  changes: Changes<typeof AiSite>,
): Promise<AiSiteRow> {
  requireOpen(context, site)
  const { subdomain, domain } = changes
  if (subdomain && subdomain !== site.subdomain) await requireFreeSubdomain(context, subdomain, site.id)
  if (domain && isOfService(context, domain)) throw invalid({ domain: ['belongs to this service; use the subdomain'] })
  const claim = claimed(domainOf(site), domain)
  const changed = await changeRow(context, AiSite, site, { ...changes, ...(claim && domainColumns(claim)) })
  if (claim && domain)
    await planCheck(context, SITE_DOMAIN, { site: site.id, check: claim.checks, since: context.realNow }, 0)
  context.emit(AiSite, 'updated', changed)
  return changed
}

/** Deletes the site with its build task. Files are removed after the commit. */
export async function deleteSite(context: Context, site: AiSiteRow): Promise<void> {
  await deleteRow(context, AiSite, site)
  await removeOldBuilds(context, site.id)
  const task = site.build_task === null ? undefined : await findRow(context, Task, site.build_task)
  if (task) await deleteTask(context, task)
  context.emit(AiSite, 'deleted', site)
}
