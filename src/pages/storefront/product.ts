import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { productUrl } from '../../resources/catalog/product/address.ts'
import type { Product } from '../../resources/catalog/product/product.ts'
import { publishedProduct } from '../../resources/catalog/product/published.ts'
import type { Page } from '../parts/document.ts'
import { shopAnswer } from './answers.ts'
import { shopFrame, shopPage } from './frame.ts'
import { firstPicture, galleriesOf, galleryPart, type Shown } from './gallery.ts'
import { priceList } from './prices.ts'
import { paragraphs, prose } from './prose.ts'
import { ratingPart, reviewsPart } from './reviews.ts'

type ProductRow = Row<typeof Product>

/** The page of an active product, whether it can be bought at this moment or not. Null where there is none of the slug. */
export async function productPage(context: Context, slug: string): Promise<Response | null> {
  const product = await publishedProduct(context, slug)
  if (!product) return null
  const frame = await shopFrame(context)
  const gallery = (await galleriesOf(context, [product])).get(product.id) ?? []
  const prices = await priceList(context, product, frame.url)
  const reviews = await reviewsPart(context, product)
  const about = {
    title: product.seo_title ?? product.name,
    url: productUrl(frame.url, product),
    description: product.seo_description ?? product.description,
    kind: 'product' as const,
    picture: firstPicture(gallery),
  }
  return shopAnswer(shopPage(about, frame, content(product, { gallery, prices, reviews }), 'wide'))
}

interface Parts {
  gallery: Shown[]
  prices: Page
  reviews: Page
}

/** In the order of a phone; a wide screen has the prices beside the rest. */
function content(product: ProductRow, { gallery, prices, reviews }: Parts): Page {
  const { name, description, body_html } = product
  return html`<div class="product" itemscope itemtype="https://schema.org/Product">
<div class="what"><h1 itemprop="name">${name}</h1>${ratingPart(product)}</div>
${gallery.length > 0 ? galleryPart(gallery) : ''}
${description ? html`<div class="lead" itemprop="description">${paragraphs(description)}</div>` : ''}
<div class="buy">${prices}</div>
${body_html ? prose(body_html) : ''}${reviews}</div>`
}
