import type { DashboardPage, NamedView } from '../../../../pages/dashboard/kit/visit.ts'
import { accountPages, accountView, commentView } from './accounts.ts'
import { analytics } from './analytics.ts'
import { calendar } from './calendar.ts'
import { composerPages } from './composer.ts'
import { postView } from './posts.ts'

export const SOCIAL_PAGES: DashboardPage[] = [calendar, analytics, ...composerPages, ...accountPages]

export const SOCIAL_VIEWS: NamedView[] = [postView, accountView, commentView]
