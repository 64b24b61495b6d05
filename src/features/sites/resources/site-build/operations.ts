import { ApiError } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { equals } from '../../../../records/filters.ts'
import { changeRow, findNamed, findRow } from '../../../../records/records.ts'
import { type Derived, resource } from '../../../../records/resource.ts'
import { verbs } from '../../../../records/verbs.ts'
import { AiSite } from '../ai-site/ai-site.ts'
import { requireOpen } from '../ai-site/open.ts'
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

/** Restores the previous build; the present one becomes the previous one. Throws `invalid_state` for other builds. */
async function bringBack(context: Context, build: SiteBuildRow): Promise<SiteBuildRow> {
  const site = await findRow(context, AiSite, build.site)
  if (!site || site.previous_build !== build.id || build.status !== 'complete')
    throw new ApiError('invalid_state', 'Only the build that a site showed before its present one can be brought back.')
  requireOpen(context, site)
  await context.remember(AiSite, [site])
  const changed = await changeRow(context, AiSite, site, {
    current_build: build.id,
    previous_build: site.current_build,
    reported_url: null,
    is_live: true,
    build_status: site.build_status === 'building' || site.build_status === 'queued' ? site.build_status : 'live',
  })
  context.emit(AiSite, 'updated', changed)
  return build
}
