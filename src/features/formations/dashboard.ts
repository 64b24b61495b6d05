import type { DashboardFeature } from '../../pages/dashboard/kit/visit.ts'
import { download, formationView } from './pages/dashboard/formations.ts'

export const formationDashboard: DashboardFeature = {
  pages: [download],
  views: [formationView],
  menu: { account: ['formations'] },
  elsewhere: ['formation_documents'],
  permissions: { 'company.read': 'See company formations', 'company.write': 'Form a company' },
}
