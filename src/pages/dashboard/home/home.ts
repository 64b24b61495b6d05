import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { runsInShort } from '../agents/runs.ts'
import { headed, latest } from '../derived/list.ts'
import { framed } from '../kit/answers.ts'
import { rowsIn, rowsOf } from '../kit/call.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { DashboardContext, DashboardPage } from '../kit/visit.ts'
import { attention } from './attention.ts'
import { figures, overviewOf, RANGES, rangeOf } from './figures.ts'

const ROWS = 5

export const home: DashboardPage = {
  path: '/',
  label: 'Home',
  get: async (visit) => {
    const overview = await overviewOf(visit)
    const isNew = overview.sales.length === 0 && overview.subscribers.points.every((count) => count === 0)
    const [orders, runs] = await Promise.all([
      latest(visit, { path: 'orders', heading: 'Latest orders', all: 'All orders' }),
      latestRuns(visit),
    ])
    const content = html`${attention(visit, overview)}${isNew ? await firstSteps(visit) : figures(overview)}${orders}${runs}`
    return framed(visit, { title: 'Home', actions: isNew ? undefined : ranges(visit) }, content)
  },
}

/** Days begin at midnight in the account's time zone. */
function ranges(visit: DashboardContext): Page {
  const chosen = rangeOf(visit)
  const links = Object.entries(RANGES).map(
    ([range, { link }]) =>
      html`<li><a class="segment" href="${visit.base}?range=${range}"${range === chosen ? html` aria-current="true"` : ''}>${link}</a></li>`,
  )
  return html`<nav class="segments" aria-label="Time shown"><ul>${links}</ul></nav>`
}

async function firstSteps(visit: DashboardContext): Promise<Page> {
  const { base } = visit
  if (!mayOpen(visit, '/products/new'))
    return html`<section class="card begin"><h2>Nothing has been sold yet</h2><p>Revenue and orders appear here.</p></section>`
  const { rows } = await rowsOf(visit.call('GET /price_variants', { query: { limit: 1 } }))
  const hasPrice = rows.length > 0
  const steps = [
    hasPrice
      ? html`<strong>You have a product with a price.</strong> <a href="${base}/products">View your products</a>`
      : html`<a href="${base}/products/new"><strong>Add a product</strong></a> and its first price.`,
    html`<a href="${base}/checkout_links/new"><strong>Create a checkout link</strong></a> to share, or copy the purchase link of a price.`,
    html`<strong>Sell it.</strong> Revenue and orders appear here.`,
  ]
  return html`<section class="card begin" aria-labelledby="begin"><h2 id="begin">Nothing has been sold yet</h2><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol><p class="lead">An agent can do all of this for you: <a href="${base}/developers/tokens">create a token for it</a>.</p></section>`
}

async function latestRuns(visit: DashboardContext): Promise<Page> {
  if (!mayOpen(visit, '/runs')) return html``
  const { rows: runs } = rowsIn(await visit.call('GET /runs', { query: { limit: ROWS } }))
  if (runs.length === 0) return html``
  return headed(visit, { path: 'runs', heading: 'Latest runs', all: 'All runs' }, runsInShort(visit, runs))
}
