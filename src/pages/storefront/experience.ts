import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { findRow, findRows } from '../../records/records.ts'
import { Product } from '../../resources/catalog/product/product.ts'
import { shownVariantsByProduct } from '../../resources/catalog/product/queries.ts'
import { productUrl } from '../../resources/catalog/product/show.ts'
import { deriveExperiences } from '../../resources/content/experience/content.ts'
import { Experience } from '../../resources/content/experience/experience.ts'
import { fileUrl } from '../../resources/content/file/addresses.ts'
import type { Page } from '../parts/markup.ts'
import { contentPart, PageEmbeds } from './content.ts'
import { shopAnswer, shopFrame, shopPage } from './frame.ts'

type ExperienceRow = Row<typeof Experience>

/** Renders the content if access is open, otherwise ways to get access. Returns null if no experience has the slug. */
export async function experiencePage(context: Context, slug: string): Promise<Response | null> {
  const experience = await findRow(context, Experience, slug)
  if (!experience) return null
  const frame = await shopFrame(context)
  const isOpen = experience.access_type === 'open'
  const loaded = new PageEmbeds(context.publicUrl)
  const part = isOpen
    ? await contentPart(context, experience, { addressOf: (file) => fileUrl(context, file), loaded })
    : await waysToGetAccess(context, experience, frame.url)
  const { name: title, description, slug: path } = experience
  const about = { title, url: `${frame.url}/x/${path}`, description }
  return shopAnswer(shopPage(about, frame, html`${heading(experience)}${part}`), { places: loaded.places })
}

export function heading({ name, description }: ExperienceRow): Page {
  return html`<h1>${name}</h1>${description ? html`<p class="lead">${description}</p>` : ''}`
}

interface PurchaseLink {
  name: string
  url: string
}

async function waysToGetAccess(context: Context, experience: ExperienceRow, storefront: string): Promise<Page> {
  const offers = await offersOf(context, experience, storefront)
  const list = offers.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)
  const own = html`<a href="${storefront}/access">your purchases</a>`
  const how =
    offers.length > 0
      ? html`<p>Buy one of these to get access:</p><ul class="entries">${list}</ul>`
      : html`<p>It is not currently for sale.</p>`
  return html`<h2>For buyers</h2>${how}<h2>Already bought it?</h2><p>Open the link in the receipt we e-mailed you, or go to ${own}.</p>`
}

async function offersOf(context: Context, experience: ExperienceRow, storefront: string): Promise<PurchaseLink[]> {
  const [derived] = await deriveExperiences([experience], context)
  const ids = derived!.products
  const products = await findRows(context, Product, ids)
  const prices = await shownVariantsByProduct(ids, context)
  return ids.flatMap((id) => {
    const product = products.get(id)
    const isIncluded = prices.get(id)?.some(({ experiences }) => experiences.includes(experience.id))
    return product?.status === 'active' && isIncluded
      ? [{ name: product.name, url: productUrl(storefront, product) }]
      : []
  })
}
