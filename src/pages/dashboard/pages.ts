import { applyPage, planPage, rejectPage } from './agents/plan-page.ts'
import { plansPage } from './agents/plans.ts'
import { playgroundPages } from './agents/playground.ts'
import { runPage } from './agents/run-page.ts'
import { runsPage } from './agents/runs.ts'
import { home } from './home/home.ts'
import type { DashboardPage } from './kit/page.ts'

/** The pages that are made by hand. */
export const HAND_MADE: DashboardPage[] = [
  home,
  runsPage,
  runPage,
  plansPage,
  planPage,
  applyPage,
  rejectPage,
  ...playgroundPages,
]
