import { sql } from 'kysely'
import { call, type Happening } from '../../demo/happening.ts'
import type { Feature } from '../../feature.ts'
import { siteAddresses } from './pages/routes.ts'
import { siteHosts } from './pages/serve.ts'
import type { SiteServices } from './providers/provider.ts'
import { createBuilders } from './providers/registry.ts'
import { buildTasks } from './resources/ai-site/build-task.ts'
import { SITE_DOMAIN } from './resources/ai-site/domain.ts'
import { siteResources } from './resources.ts'
import { sitesDomainOf } from './settings.ts'

const SITES: readonly Happening[] = [
  call(0.1, '/sites', {
    name: 'Kestrel Studio',
    subdomain: 'kestrel-studio',
    prompt:
      'A quiet site for our studio: the presses with a photo each, when members can come, the next printing days, and how to find us at 14 Foundry Lane.',
  }),
]

/** Websites that the service builds and serves. */
export const sites: Feature = {
  name: 'sites',
  resources: siteResources,
  services({ settings, web }): SiteServices {
    const sitesDomain = sitesDomainOf(settings)
    const repositories = settings.SITE_REPOSITORIES_URL
    return { builders: createBuilders({ serves: sitesDomain !== null, repositories, web: web.outside }), sitesDomain }
  },
  reservedDomain: sitesDomainOf,
  domainKinds: [SITE_DOMAIN],
  taskUses: [buildTasks],
  storedFiles: [
    sql`select site_files.account_id, site_files.id, 'of a site: ' || site_files.path as what,
      site_files.size, site_files.sha256, site_builds.store, site_builds.status = 'complete' as complete
    from site_files join site_builds
      on site_builds.account_id = site_files.account_id and site_builds.id = site_files.build`,
  ],
  references: { 'site_files.build': 'site_builds' },
  routes: siteAddresses,
  hosts: siteHosts,
  dashboard: () => import('./pages/dashboard/sites.ts').then(({ sitesDashboard }) => sitesDashboard),
  demo: SITES,
}
