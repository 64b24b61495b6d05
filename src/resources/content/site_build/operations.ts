import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { bringBack } from './bring_back.ts'
import { deriveBuilds } from './show.ts'
import { SiteBuild } from './site_build.ts'

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
