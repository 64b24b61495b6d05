import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import type { Context } from '../../records/context.ts'
import { accessUrl, experiencesOf, filesIn, withFileAddresses } from '../../resources/content/experience/access.ts'
import type { Experience } from '../../resources/content/experience/experience.ts'
import type { File } from '../../resources/content/file/file.ts'
import { Order } from '../../resources/sales/order/order.ts'
import { chargedSubscriptions } from '../../resources/sales/subscription/card.ts'
import { contentPart, PageEmbeds } from './content.ts'
import { heading } from './experience.ts'
import { shopAnswer, shopFrame, shopPage } from './frame.ts'

const SECRET_PAGE = { secret: true }

export async function accessPage(context: Context, customerId: string): Promise<Response> {
  const frame = await shopFrame(context)
  const experiences = await experiencesOf(context, customerId)
  const address = accessUrl(context, customerId)
  const list = experiences.map(
    ({ name, slug, description }) =>
      html`<li><a href="${address}/${slug}">${name}</a>${description ? html`<span class="hint">${description}</span>` : ''}</li>`,
  )
  const content =
    list.length > 0
      ? html`<ul class="entries">${list}</ul>`
      : html`<p class="lead">Your purchases do not currently include access to any content.</p>`
  const isCharged = (await chargedSubscriptions(context, customerId)).length > 0
  const card = isCharged
    ? html`<p class="way"><a href="${address}/-/card">Change the card of your subscriptions</a></p>`
    : ''
  const more = Order.isId(customerId)
    ? ''
    : html`<p class="way"><a href="${frame.url}/access">Receipts, subscriptions and your details</a></p>`
  const title = 'Your purchases'
  return shopAnswer(
    shopPage({ title, secret: true }, frame, html`<h1>${title}</h1>${content}${card}${more}`),
    SECRET_PAGE,
  )
}

/** The URL of a customer's purchases, and the prefix of the URLs of single purchases. */
interface AccessUrls {
  home: string
  below: string
}

/** Renders an experience for a customer. Returns null if the customer has no access to it. */
export async function accessedPage(
  context: Context,
  customerId: string,
  slug: string,
  home: AccessUrls = accessUrlsOf(context, customerId),
): Promise<Response | null> {
  const found = await accessedExperience(context, customerId, slug)
  if (!found) return null
  const addressOf = (id: string) => `${home.below}/${slug}/files/${id}`
  const experience = await withFileAddresses(context, found, addressOf)
  const back = html`<p class="way"><a href="${home.home}">Your purchases</a></p>`
  const loaded = new PageEmbeds(context.publicUrl)
  const part = await contentPart(context, experience, { addressOf: ({ id }) => addressOf(id), loaded })
  const content = html`${heading(experience)}${part}${back}`
  const about = { title: experience.name, secret: true }
  const page = shopPage(about, await shopFrame(context), content)
  return shopAnswer(page, { ...SECRET_PAGE, places: loaded.places })
}

function accessUrlsOf(context: Context, customerId: string): AccessUrls {
  const home = accessUrl(context, customerId)
  return { home, below: home }
}

interface AccessedFileRequest {
  customer: string
  slug: string
  file: string
}

/** Returns null if the customer currently has no access to the file. */
export async function accessedFile(context: Context, asked: AccessedFileRequest): Promise<Row<typeof File> | null> {
  const experience = await accessedExperience(context, asked.customer, asked.slug)
  return (experience && (await filesIn(context, experience.content)).get(asked.file)) ?? null
}

async function accessedExperience(
  context: Context,
  customerId: string,
  slug: string,
): Promise<Row<typeof Experience> | null> {
  return (await experiencesOf(context, customerId)).find((one) => one.slug === slug) ?? null
}
