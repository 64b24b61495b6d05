import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { rowsOf } from '../kit/ask.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { Visit } from '../kit/visit.ts'

/** The first steps of a shop that has sold nothing yet. */
export async function begin(visit: Visit): Promise<Page> {
  const { base } = visit
  if (!mayOpen(visit, '/products/new'))
    return html`<section class="card begin"><h2>Nothing has been sold yet</h2><p>Revenue and orders appear here.</p></section>`
  const { rows } = await rowsOf(visit.ask('GET /price_variants', { query: { limit: 1 } }))
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
