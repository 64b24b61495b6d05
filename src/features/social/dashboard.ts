import { sql } from 'kysely'
import type { DashboardFeature } from '../../pages/dashboard/kit/visit.ts'
import { networkConnections } from './connections.ts'
import { accountPages, accountView, commentView } from './pages/dashboard/accounts.ts'
import { analytics } from './pages/dashboard/analytics.ts'
import { composerPages } from './pages/dashboard/composer.ts'
import { calendar, postView } from './pages/dashboard/posts.ts'

export const socialDashboard: DashboardFeature = {
  pages: [calendar, analytics, ...composerPages, ...accountPages],
  views: [postView, accountView, commentView],
  menu: { audience: ['social', 'social_posts', 'social_accounts', 'social_comments'] },
  elsewhere: ['social_deliveries'],
  matters: [
    {
      kind: 'social_accounts_to_reconnect',
      // The statuses are literals, because otherwise the database cannot use their partial index.
      rows: (accountId) => sql`from social_accounts where account_id = ${accountId} and status in ('expired', 'error')`,
      one: 'social account has to be connected again',
      many: 'social accounts have to be connected again',
      path: '/social_accounts?status=expired&status=error',
      bad: true,
    },
  ],
  connections: networkConnections,
  permissions: {
    'content.read': 'See social posts, comments and figures',
    'content.write': 'Publish on social networks, answer comments',
  },
  searchedPages: [['social', 'schedule']],
  alsoCalled: { social_post: 'write a post publish' },
}
