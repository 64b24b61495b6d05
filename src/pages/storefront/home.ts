import { html } from 'hono/html'
import type { Branding } from '../../contract/declarations/branding.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { type Price, priceInShort } from '../../resources/catalog/price-variant/in-words.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { publishedProducts, shownVariantsByProduct } from '../../resources/catalog/product/queries.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { letterOf, type Page } from '../parts/markup.ts'
import { type ShopFrame, shopAnswer, shopFrame, shopPage } from './frame.ts'
import { firstPicture, galleriesOf } from './gallery.ts'
import { pageLinks, pageRange, pageUrl } from './pieces.ts'
import { shopData } from './structured.ts'

/** The number of products per page, which is divisible by the number of columns at every width. */
const PER_PAGE = 24

/** Renders a page of a shop's products, newest first. Returns null if the number is past the last page. */
export async function homePage(context: Context, number: number): Promise<Response | null> {
  const page = await homeDocument(context, number)
  return page && shopAnswer(page)
}

interface HomeOptions {
  /** Branding for a preview by the merchant, in which nothing can be clicked. */
  branding?: Branding
}

export async function homeDocument(
  context: Context,
  number: number,
  { branding }: HomeOptions = {},
): Promise<Page | null> {
  const found = await publishedProducts(context, pageRange(number, PER_PAGE))
  if (found.length === 0 && number > 1) return null
  const products = found.slice(0, PER_PAGE)
  const frame = await shopFrame(context, branding)
  const { name: title, description, url, brand } = frame
  const isPreview = branding !== undefined
  const about = {
    title,
    url: pageUrl(url, number),
    description,
    picture: brand.cover ?? brand.logo,
    data: number === 1 ? shopData({ ...frame, logo: brand.logo }) : null,
    secret: isPreview,
    inert: isPreview,
  }
  const list = products.length > 0 ? await cards(context, frame, products) : NOTHING_YET
  const cover = brand.cover === null || number > 1 ? '' : html`<img class="cover" src="${brand.cover}" alt="">`
  const head = html`${cover}<h1>${title}</h1>${description ? html`<p class="lead">${description}</p>` : ''}`
  const content = html`${head}${list}${pageLinks(url, number, found.length > PER_PAGE)}`
  return shopPage(about, frame, content, 'wide')
}

const NOTHING_YET = html`<p class="lead">There are no products yet. Come back soon.</p>`

async function cards(context: Context, { url }: ShopFrame, products: Row<typeof Product>[]): Promise<Page> {
  const ids = products.map(({ id }) => id)
  const [prices, galleries] = [await shownVariantsByProduct(ids, context), await galleriesOf(context, products)]
  const items = products.map((product) => {
    const picture = firstPicture(galleries.get(product.id))
    return html`<li>${tile(product.name, picture)}<h2><a href="${productUrl(url, product)}">${product.name}</a></h2>${priceOf(prices.get(product.id))}</li>`
  })
  return html`<ul class="cards">${items}</ul>`
}

/** Renders a tile. The picture's alternative text is empty, because the product's name is next to it. */
function tile(name: string, picture: string | null): Page {
  return picture === null
    ? html`<span class="tile" aria-hidden="true">${letterOf(name)}</span>`
    : html`<img class="tile" src="${picture}" alt="" loading="lazy" decoding="async">`
}

function priceOf(prices: readonly Price[] = []): Page {
  const words = priceInShort(prices)
  return words === '' ? html`` : html`<p>${words}</p>`
}
