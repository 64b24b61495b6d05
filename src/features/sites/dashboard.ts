import type { DashboardFeature } from '../../pages/dashboard/kit/visit.ts'
import type { Context } from '../../records/context.ts'
import { hasModel } from '../../resources/company/account/own-model.ts'
import type { Connected } from '../../resources/dashboard/service-connections.ts'
import { sitePages, siteView } from './pages/dashboard/sites.ts'

export const sitesDashboard: DashboardFeature = {
  pages: sitePages,
  views: [siteView],
  menu: { content: ['sites'] },
  elsewhere: ['site_builds'],
  content: 'sites',
  connections: async (context) => [await siteConnection(context)],
}

/** Returns the builder of sites from briefs, and the domain that serves the sites. */
async function siteConnection(context: Context): Promise<Connected> {
  const what = 'Sites'
  const { sitesDomain } = context.services
  const for_operator = ['Set SITES_DOMAIN to a domain that shares nothing with that of the service.']
  if (sitesDomain === null)
    return {
      what,
      state: 'missing',
      words: 'None are served, and their build tasks wait for an external agent.',
      set_up: [],
      for_operator,
    }
  const builder = (await hasModel(context)) ? 'A model' : 'The built-in builder'
  const words = `${builder} makes them from briefs, and they are served below ${sitesDomain}`
  if (sitesDomain !== 'localhost') return { what, state: 'ready', words: `${words}.`, set_up: [], for_operator: [] }
  return { what, state: 'simulated', words: `${words}, on this machine alone.`, set_up: [], for_operator }
}
