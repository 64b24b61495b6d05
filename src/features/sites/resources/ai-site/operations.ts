import { isUser } from '../../../../contract/declarations/caller.ts'
import { invalid, missingParameter } from '../../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../../contract/declarations/noun.ts'
import type { Operation } from '../../../../contract/declarations/operation.ts'
import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { cut, inOnePiece } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { changeRow, deleteRow, findRow, insertRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { Task } from '../../../../resources/automation/task/task.ts'
import { createTask, deleteTask } from '../../../../resources/automation/task/write.ts'
import { originOf } from '../../../../resources/automation/task-run/begin.ts'
import { TaskRun } from '../../../../resources/automation/task-run/task-run.ts'
import { isOfService, recordOf } from '../../../../resources/content/domain-names.ts'
import { claimed, planCheck } from '../../../../resources/content/own-domain.ts'
import { removeBuilds, removeOldBuilds } from '../site-build/files.ts'
import { freeSubdomain, requireFreeSubdomain, siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import { briefOf, buildSite, buildSiteLong, enqueueBuild, findBuilder } from './build.ts'
import { checkAddress } from './check-address.ts'
import { checkSiteDomain, domainColumns, domainOf, SITE_DOMAIN, verifyDomain } from './domain.ts'
import { requireOpen } from './open.ts'

function deriveSites(rows: AiSiteRow[], context: Context): Derived[] {
  return rows.map((site) => {
    const { id, domain, domain_verified, build_task, github_repo_full_name: repository } = site
    return {
      domain_record: domain === null || domain_verified ? null : recordOf(context, SITE_DOMAIN, { id, domain }),
      build_task_id: build_task,
      github_url: repository === null ? null : inOnePiece('https://github.com/', repository),
      app_url: siteUrl(context, site),
    }
  })
}

const { list, create, retrieve, update, remove } = verbs(AiSite)

/** The build task can only be expanded when a single site is retrieved. */
const withoutExpand = <Op extends Operation<Context>>(operation: Op): Op => ({ ...operation, expandable: false })

export const aiSites = resource(AiSite, {
  derive: deriveSites,
  jobs: [checkSiteDomain, verifyDomain, buildSite, buildSiteLong, checkAddress, removeBuilds],
  operations: [
    withoutExpand(
      list({
        id: 'list_ai_sites',
        summary: 'List AI sites',
        filters: {
          is_live: equals(AiSite, 'is_live', 'Only sites that are live, or only those that are not'),
          build_status: equals(AiSite, 'build_status', 'Only sites with this build status'),
        },
      }),
    ),
    withoutExpand(
      create({
        summary: 'Create an AI site from a brief or a repository',
        description:
          'Requires a prompt or a repository, else 400 with the parameter prompt. The service builds the site after the response, from a public repository’s static files or from the brief, the shop and its products, and serves it at app_url. Each run of its build task is a build; active true on the task builds again. If the prompt’s first line is # agent, the run waits for an agent, who completes it with a summary that has a line app_url: https://… and, for code at GitHub, repository: owner/name; the site is live once that address answers. A subdomain that another site has, in any account, or that is reserved for the service, such as www or admin, is 422. PATCH /sites/{id} gives it a domain of your own.',
        emits: ['ai_site.created', 'ai_task.created'],
        example: { prompt: 'A shop window for hand-made paper, calm and fast.' },
        checks: [{ fields: ['prompt', 'repository'], check: (_, given) => requireBrief(given) }],
        rule: createSite,
      }),
    ),
    retrieve({ summary: 'Show one AI site' }),
    withoutExpand(
      update({
        summary: 'Change an AI site',
        description:
          'A new domain is verified once it has the DNS record in domain_record, which is checked for three days; sending the same domain again restarts the check. It stays verified while the record stays. A domain that another site or shop has comes here once it has this record and no longer the other’s. Only those who may visit a site that is not public may change it, else 403.',
        rule: updateSite,
      }),
    ),
    remove({
      summary: 'Delete an AI site',
      description: 'Frees its subdomain and domain. Also deletes the task that builds it and cancels unfinished runs.',
      emits: ['ai_site.deleted', 'ai_task.deleted', 'ai_task_run.canceled'],
      rule: deleteSite,
    }),
  ],
})

const MAX_TASK_NAME = 100

type Input = CreateInput<typeof AiSite>

/** The number of words of the prompt that become the site's name. */
const NAME_WORDS = 6
const MAX_NAME = 60

async function createSite(context: Context, input: Input): Promise<AiSiteRow> {
  requireBrief(input)
  const name = input.name ?? nameOf(input)
  if (input.subdomain) await requireFreeSubdomain(context, input.subdomain)
  const subdomain = input.subdomain ?? (await freeSubdomain(context, name))
  const creator = isUser(context.caller) ? context.caller.userId : ''
  const site = await insertRow(context, AiSite, { ...input, name, subdomain, creator })
  return context.emit(AiSite, 'created', await startBuilding(context, site))
}

/** Throws a 400 if there is neither a prompt nor a repository. */
function requireBrief({ prompt, github_repo_full_name }: Partial<Input>): void {
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

/** Updates a site. An unverified domain in the request starts a new series of checks, even if it is the same as before. */
async function updateSite(context: Context, site: AiSiteRow, changes: Changes<typeof AiSite>): Promise<AiSiteRow> {
  requireOpen(context, site)
  const { subdomain, domain } = changes
  if (subdomain && subdomain !== site.subdomain) await requireFreeSubdomain(context, subdomain, site.id)
  if (domain && isOfService(context, domain)) throw invalid({ domain: ['belongs to this service; use the subdomain'] })
  const claim = claimed(domainOf(site), domain)
  const changed = await changeRow(context, AiSite, site, { ...changes, ...(claim && domainColumns(claim)) })
  if (claim && domain)
    await planCheck(context, SITE_DOMAIN, { site: site.id, check: claim.checks, since: context.realNow }, 0)
  return context.emit(AiSite, 'updated', changed)
}

/** Deletes the site with its build task. Files are removed after the commit. */
async function deleteSite(context: Context, site: AiSiteRow): Promise<void> {
  await deleteRow(context, AiSite, site)
  await removeOldBuilds(context, site.id)
  const task = site.build_task === null ? undefined : await findRow(context, Task, site.build_task)
  if (task) await deleteTask(context, task)
  context.emit(AiSite, 'deleted', site)
}
