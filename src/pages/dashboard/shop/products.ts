import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { currencyCode, formatMoney } from '../../../format/money.ts'
import { formatDecimal, formatNumber } from '../../../format/numbers.ts'
import { priceInShort } from '../../../resources/catalog/price-variant/in-words.ts'
import { productSales } from '../../../resources/dashboard/product-sales.ts'
import { type Fact, factList, headedCard, type Page } from '../../parts/markup.ts'
import { becomes } from '../derived/chosen.ts'
import { icon } from '../kit/controls.ts'
import { type DashboardContext, type Viewed, view } from '../kit/visit.ts'
import { pricesOf } from './prices.ts'
import { newCode, productCodes } from './product-codes.ts'

export const productView = view('product', {
  lead: 'What you sell, each with its prices.',
  search: 'Name or slug',
  picture: (_, { media_gallery: media }) => cover(media),
  bulk: [
    { name: 'archive', button: 'Archive', method: 'patch', body: { status: 'archived' }, says: becomes('archived') },
    { name: 'activate', button: 'Activate', method: 'patch', body: { status: 'active' }, says: becomes('activated') },
  ],
  columns: ['name', 'price', 'status', 'reviews', 'created_at'],
  cells: {
    price: {
      title: 'Price',
      show: (_, { price_variants: prices }) => {
        const words = priceInShort(prices)
        return words === '' ? html`<span class="none">No price yet</span>` : html`${words}`
      },
    },
    reviews: {
      title: 'Reviews',
      show: (_, { reviews_count: count, average_rating: average }) =>
        count > 0 && average !== null
          ? html`${formatDecimal(average, 1)} of 5 <span class="soft">(${formatNumber(count)})</span>`
          : html`<span class="none">–</span>`,
    },
  },
  above: [newCode, pricesOf, productCodes, sales],
  sections: [gallery],
  main: [
    'description',
    'slug',
    'available_from',
    'available_until',
    'published_at',
    'reviews_count',
    'average_rating',
    'created_at',
  ],
  without: ['name', 'status', 'url', 'media_gallery', 'body_html'],
  labels: {
    slug: 'Slug',
    available_from: 'Sold from',
    available_until: 'Sold until',
    published_at: 'On sale since',
    reviews_count: 'Reviews',
  },
  related: ['review'],
  links: (_, { url, status }) =>
    html`<a class="button" href="${url}" target="_blank" rel="noreferrer noopener" data-turbo="false">${status === 'active' ? 'View page' : 'Page address, once active'}</a>`,
})

function cover(media: Viewed<'product'>['media_gallery']): Page {
  const first = media.find(({ type, url }) => !type.startsWith('video') && url !== null && /^(https?:)?\//.test(url))
  return first ? html`<img src="${first.url!}" alt="" loading="lazy" decoding="async">` : icon('products')
}

async function sales(visit: DashboardContext, { id }: Viewed<'product'>): Promise<Page | null> {
  const { days, sold } = await visit.read(productSales, id)
  const facts = sold.map(
    ({ currency, units, revenue, orders }): Fact => [
      currencyCode(currency),
      html`<strong>${formatMoney(revenue, currency)}</strong> from ${counted(units, 'unit')} in ${counted(orders, 'order')}`,
    ],
  )
  const content = facts.length > 0 ? factList('fields', facts) : html`<p class="none">No sales in this period.</p>`
  const all = html`<p class="aside"><a href="${visit.base}/orders?product=${encodeURIComponent(id)}">All orders with this product</a></p>`
  return headedCard('sales', `Sales of the last ${days} days`, html`${content}${all}`)
}

async function gallery(_: DashboardContext, { name, media_gallery: media }: Viewed<'product'>): Promise<Page | null> {
  const shownFiles = media.filter(({ url }) => url !== null && /^(https?:)?\//.test(url))
  if (shownFiles.length === 0) return null
  const items = shownFiles.map(({ type, url }, place) =>
    type.startsWith('video')
      ? html`<li><video src="${url!}" controls preload="metadata" aria-label="Video ${place + 1} of ${name}"></video></li>`
      : html`<li><img src="${url!}" alt="Picture ${place + 1} of ${name}" loading="lazy"></li>`,
  )
  return html`<section class="related" aria-labelledby="gallery"><header><h2 id="gallery">Gallery</h2></header><ul class="gallery">${items}</ul></section>`
}
