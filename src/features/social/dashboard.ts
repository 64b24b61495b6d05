import type { DashboardFeature } from '../../pages/dashboard/kit/visit.ts'
import { accountPages, accountView, commentView } from './pages/dashboard/accounts.ts'
import { analytics } from './pages/dashboard/analytics.ts'
import { composerPages } from './pages/dashboard/composer.ts'
import { calendar, postView } from './pages/dashboard/posts.ts'

export const socialDashboard: DashboardFeature = {
  pages: [calendar, analytics, ...composerPages, ...accountPages],
  views: [postView, accountView, commentView],
  menu: { audience: ['social', 'social_posts', 'social_accounts', 'social_comments'] },
  elsewhere: ['social_deliveries'],
  matters: {
    social_accounts_to_reconnect: {
      one: 'social account has to be connected again',
      many: 'social accounts have to be connected again',
      path: '/social_accounts?status=expired&status=error',
      bad: true,
    },
  },
  permissions: {
    'content.read': 'See social posts, comments and figures',
    'content.write': 'Publish on social networks, answer comments',
  },
  searchedPages: [['social', 'schedule']],
  alsoCalled: { social_post: 'write a post publish' },
}
