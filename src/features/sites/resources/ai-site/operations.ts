import type { Operation } from '../../../../contract/declarations/operation.ts'
import { inOnePiece } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { recordOf } from '../../../../resources/content/domain-names.ts'
import { removeBuilds } from '../site-build/remove.ts'
import { siteUrl } from './address.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'
import { buildSite, buildSiteLong } from './build-jobs.ts'
import { checkAddress } from './check-address.ts'
import { SITE_DOMAIN } from './domain.ts'
import { checkSiteDomain, verifyDomain } from './jobs.ts'
import { createSite, deleteSite, requireBrief, updateSite } from './write.ts'

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
        emits: ['ai_site.updated'],
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
