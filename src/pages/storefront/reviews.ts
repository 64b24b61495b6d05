import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { reviewsByProduct } from '../../resources/catalog/product/collections.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { averageRating } from '../../resources/catalog/review/ratings.ts'
import type { Review } from '../../resources/catalog/review/review.ts'
import { counted } from '../../words/counts.ts'
import { formatUtcDay } from '../../words/moments.ts'
import { formatDecimal } from '../../words/numbers.ts'
import type { Page } from '../parts/markup.ts'

type ProductRow = Row<typeof Product>

/** As many as somebody reads. */
const SHOWN = 20
const STARS = 5

/** What buyers say of a product, in the merchant's order; nothing where nobody has said anything. */
export async function reviewsPart(context: Context, { id, reviews_count }: ProductRow): Promise<Page> {
  if (reviews_count === 0) return html``
  const all = (await reviewsByProduct([id], context)).get(id) ?? []
  const shown = all.filter(({ published }) => published).slice(0, SHOWN)
  const more = reviews_count > shown.length ? html`<p class="hint">${shown.length} of ${reviews_count} reviews</p>` : ''
  return html`<section class="reviews" aria-labelledby="reviews"><h2 id="reviews">Reviews</h2><ul>${shown.map(reviewOf)}</ul>${more}</section>`
}

/** The average, which leads to the reviews. */
export function ratingPart({ ratings_total, reviews_count }: ProductRow): Page {
  const average = averageRating(ratings_total, reviews_count)
  if (average === null) return html``
  const count = counted(reviews_count, 'review')
  return html`<p class="rating">${stars(average)} ${formatDecimal(average, 1)} <a href="#reviews">${count}</a></p>`
}

function reviewOf({ rating, customer_name, content, created_at }: Row<typeof Review>): Page {
  const words = content ? html`<blockquote class="plain">${content}</blockquote>` : ''
  return html`<li>${stars(rating)}${words}<p class="hint">${customer_name ?? 'Anonymous'}, <time datetime="${created_at}">${formatUtcDay(created_at)}</time></p></li>`
}

/** As many stars as there are, in halves. */
function stars(rating: number): Page {
  const halves = Math.round(rating * 2)
  const [full, half] = [Math.floor(halves / 2), halves % 2]
  const off = STARS - full - half
  return html`<span class="stars"><span aria-hidden="true">${'★'.repeat(full)}${half ? html`<span class="half">★</span>` : ''}<span class="off">${'★'.repeat(off)}</span></span><span class="unseen">${formatDecimal(halves / 2, half ? 1 : 0)} of ${STARS} stars</span></span>`
}
