import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { findNamed } from '../../../records/records.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { AiSite } from '../ai-site/ai-site.ts'
import { bringBack } from './bring-back.ts'
import { SiteBuild, type SiteBuildRow } from './site-build.ts'

const { list, action } = verbs(SiteBuild)

export const siteBuilds = resource(SiteBuild, {
  derive: deriveBuilds,
  dashboard: [
    list({ summary: 'List the builds of sites', filters: { site: equals(SiteBuild, 'site') } }),
    action('bring_back', {
      summary: 'Let a site show its last build again',
      emits: ['ai_site.updated'],
      rule: bringBack,
    }),
  ],
})

async function deriveBuilds(rows: SiteBuildRow[], context: Context): Promise<Derived[]> {
  const sites = await findNamed(context, AiSite, 'site', rows)
  return rows.map(({ id, site, status }) => ({
    is_current: sites.get(site)?.current_build === id,
    can_be_brought_back: status === 'complete' && sites.get(site)?.previous_build === id,
  }))
}
