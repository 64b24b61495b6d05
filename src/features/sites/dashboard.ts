import type { DashboardFeature } from '../../pages/dashboard/kit/visit.ts'
import { sitePages, siteView } from './pages/dashboard/sites.ts'

export const sitesDashboard: DashboardFeature = {
  pages: sitePages,
  views: [siteView],
  menu: { content: ['sites'] },
  elsewhere: ['site_builds'],
  content: 'sites',
}
