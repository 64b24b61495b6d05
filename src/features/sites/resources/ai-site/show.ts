import { inOnePiece } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import type { Derived } from '../../../../records/resource.ts'
import { recordOf } from '../../../../resources/content/domain-names.ts'
import { siteUrl } from './address.ts'
import type { AiSiteRow } from './ai-site.ts'
import { SITE_DOMAIN } from './domain.ts'

export function deriveSites(rows: AiSiteRow[], context: Context): Derived[] {
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
