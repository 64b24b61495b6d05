import type { DashboardPage } from '../kit/page.ts'
import type { NamedView } from '../kit/view.ts'
import { runPages, taskRunView } from './runs.ts'
import { sourcePages, sourceView } from './sources.ts'
import { taskPages, taskView } from './tasks.ts'

/** Tasks, what came of them, and what starts them. */
export const AUTOMATION_PAGES: DashboardPage[] = [...taskPages, ...runPages, ...sourcePages]

export const AUTOMATION_VIEWS: NamedView[] = [taskView, taskRunView, sourceView]
