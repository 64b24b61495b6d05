import type { DashboardPage, NamedView } from '../kit/visit.ts'
import { runPages, taskRunView } from './runs.ts'
import { sourcePages, sourceView } from './sources.ts'
import { taskPages, taskView } from './tasks.ts'

export const AUTOMATION_PAGES: DashboardPage[] = [...taskPages, ...runPages, ...sourcePages]

export const AUTOMATION_VIEWS: NamedView[] = [taskView, taskRunView, sourceView]
