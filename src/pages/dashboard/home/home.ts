import { html } from 'hono/html'
import { dashboardAnswer } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import type { DashboardPage } from '../kit/page.ts'

/** What an account's dashboard begins with. */
export const home: DashboardPage = {
  path: '/',
  get: async (visit) => dashboardAnswer(framed(visit, { title: 'Home' }, html``)),
}
