import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { latest } from '../derived/latest.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { framed } from '../kit/frame.ts'
import type { DashboardPage, Visit } from '../kit/visit.ts'
import { attention } from './attention.ts'
import { begin } from './begin.ts'
import { figures } from './figures.ts'
import { latestRuns } from './latest-runs.ts'
import { overviewOf, RANGES, rangeOf } from './overview.ts'

/** What an account's dashboard begins with. */
export const home: DashboardPage = {
  path: '/',
  get: async (visit) => {
    const overview = await overviewOf(visit)
    const isNew = overview.sales.length === 0 && overview.subscribers.points.every((count) => count === 0)
    const [orders, runs] = await Promise.all([
      latest(visit, { path: 'orders', heading: 'Latest orders', all: 'All orders' }),
      latestRuns(visit),
    ])
    const content = html`${attention(visit, overview)}${isNew ? await begin(visit) : figures(overview)}${orders}${runs}`
    return dashboardAnswer(framed(visit, { title: 'Home', actions: isNew ? undefined : ranges(visit) }, content))
  },
}

/** The times to choose from. Days begin at midnight in the account's time zone. */
function ranges(visit: Visit): Page {
  const chosen = rangeOf(visit)
  const links = Object.entries(RANGES).map(
    ([range, { link }]) =>
      html`<li><a class="segment" href="${visit.base}?range=${range}"${range === chosen ? html` aria-current="true"` : ''}>${link}</a></li>`,
  )
  return html`<nav class="segments" aria-label="Time shown"><ul>${links}</ul></nav>`
}
