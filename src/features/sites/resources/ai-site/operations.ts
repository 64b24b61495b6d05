import { isUser } from '../../../../contract/declarations/caller.ts'
import { invalid, missingParameter } from '../../../../contract/declarations/errors.ts'
import type { Changes, CreateInput } from '../../../../contract/declarations/noun.ts'
import type { Operation } from '../../../../contract/declarations/operation.ts'
import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { currentTimestamp, cut, inOnePiece, laterBy } from '../../../../contract/values/values.ts'
import { AddressRefusedError, NoAnswerError } from '../../../../providers/web/client.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, deleteRow, findRow, insertRow, requireRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { Task } from '../../../../resources/automation/task/task.ts'
import { createTask, deleteTask } from '../../../../resources/automation/task/write.ts'
import { originOf } from '../../../../resources/automation/task-run/begin.ts'
import { TaskRun } from '../../../../resources/automation/task-run/task-run.ts'
import { isOfService, recordOf } from '../../../../resources/content/domain-names.ts'
import { claimed, type DomainHolder, domainCheck, planCheck } from '../../../../resources/content/own-domain.ts'
import { removeBuilds, removeOldBuilds } from '../site-build/files.ts'
import { SiteBuild } from '../site-build/site-build.ts'
import { freeSubdomain, requireFreeSubdomain, siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import {
  BUILD_EVENTS,
  bookBuild,
  briefOf,
  buildSite,
  buildSiteLong,
  CHECK_ADDRESS,
  enqueueBuild,
  findBuilder,
  isOlder,
  LIVE,
  type ReportedAddress,
  repositoryOf,
} from './build.ts'
import { SITE_DOMAIN } from './domain.ts'
import { requireOpen } from './open.ts'

const UPDATED = 'ai_site.updated'

function domainOf({ id, domain, verified_domain, domain_checks }: AiSiteRow) {
  return { id, domain, verified: verified_domain, checks: domain_checks }
}

function domainColumns({ verified, checks }: { verified: string | null; checks: number }) {
  return { domain_verified: verified !== null, verified_domain: verified, domain_checks: checks }
}

const siteDomain: DomainHolder = {
  kind: SITE_DOMAIN,
  async find(context, id) {
    const site = await findRow(context, AiSite, id)
    return site ? domainOf(site) : null
  },
  async change(context, id, change) {
    const site = await requireRow(context, AiSite, id)
    await context.remember(AiSite, [site])
    context.emit(AiSite, 'updated', await changeRow(context, AiSite, site, domainColumns(change)))
  },
}

const checkSiteDomain = domainCheck(siteDomain, UPDATED)

const earlier = domainCheck(siteDomain, UPDATED, 'site.verify_domain')
/** Runs checks that earlier versions enqueued. They were scheduled by the account's clock instead of real time. */
const verifyDomain: typeof earlier = {
  ...earlier,
  work: (job, check) => earlier.work(job, { ...check, since: currentTimestamp() }),
}

const TIMEOUT_MS = 10_000
const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
/** The pauses before retries, because a new deployment may need some time. */
const PAUSES_MS = [3_000, 20_000, 60_000]
/** The statuses of a site that requires visitors to sign in. It counts as live. */
const SIGN_IN_REQUIRED = [401, 403]

/** Requests the URL that an agent reported; the site is live if the URL responds. */
const checkAddress = job<ReportedAddress>(CHECK_ADDRESS.name, {
  emits: BUILD_EVENTS,
  async work(job, reported) {
    const problem = await problemOf(job, reported.url)
    await job.finish((context) => settle(context, reported, problem))
  },
})

interface AddressProblem {
  words: string
  /** Whether a retry is pointless. */
  lasting: boolean
}

async function problemOf({ services, signal }: JobContext, url: string): Promise<AddressProblem | null> {
  const until = performance.now() + TIMEOUT_MS
  let address = url
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const timeoutMs = Math.max(1, Math.ceil(until - performance.now()))
      const asked = { method: 'GET', headers: { accept: 'text/html' }, timeoutMs, maxBytes: 1, signal }
      const { status, headers } = await services.web.outside.fetch(address, asked)
      const next = REDIRECTS.includes(status) ? URL.parse(headers.location ?? '', address) : null
      if (next === null)
        return isServed(status) ? null : { words: `The address ${url} answered with status ${status}.`, lasting: false }
      address = next.href
    }
    return { words: `The address ${url} redirects more than ${MOST_REDIRECTS} times.`, lasting: true }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AddressRefusedError) return { words: `The address ${url} ${error.message}.`, lasting: true }
    if (error instanceof NoAnswerError)
      return { words: `The address ${url} did not answer: ${error.message}`, lasting: false }
    throw error
  }
}

function isServed(status: number): boolean {
  return (status >= 200 && status < 300) || SIGN_IN_REQUIRED.includes(status)
}

async function settle(context: Context, reported: ReportedAddress, problem: AddressProblem | null): Promise<void> {
  const { site: id, run: runId, url, repository, attempt } = reported
  const [site, run] = [await findRow(context, AiSite, id), await findRow(context, TaskRun, runId)]
  if (!site || !run) return
  const older = await isOlder(context, run)
  if (older && problem) return
  const pause = PAUSES_MS[attempt - 1]
  if (problem && !problem.lasting && pause !== undefined) {
    const runAt = laterBy(context.realNow, pause)
    await context.enqueue(CHECK_ADDRESS, { ...reported, attempt: attempt + 1 }, { runAt, inRealTime: true })
    return
  }
  if (problem) {
    const made = { site: id, task_run: runId, builder: 'agent', status: 'failed' as const, store: null }
    await insertRow(context, SiteBuild, { ...made, problems: [problem.words], files_count: 0, bytes: 0 })
    await bookBuild(context, site, { build_status: 'failed' })
    return
  }
  const { current_build, previous_build } = site
  const moved = { reported_url: url, current_build: null, previous_build: current_build ?? previous_build }
  const found = { is_live: true, ...moved, ...repositoryOf(repository) }
  // A newer run is in progress and sets its own build status.
  await bookBuild(context, site, older ? { ...found, build_status: site.build_status } : { ...LIVE, ...found })
}

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
