import type { DashboardPage } from '../kit/visit.ts'
import { askPage } from './ask.ts'
import { againPage, applyPage, planPage, rejectPage } from './plan-page.ts'
import { plansPage } from './plans.ts'
import { playgroundPages } from './playground.ts'
import { runPage } from './run-page.ts'
import { runsPage } from './runs.ts'

export const agents: DashboardPage[] = [
  askPage,
  runsPage,
  runPage,
  plansPage,
  planPage,
  applyPage,
  rejectPage,
  againPage,
  ...playgroundPages,
]
