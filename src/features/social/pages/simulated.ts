import { html } from 'hono/html'
import type { VisitorCaller } from '../../../contract/declarations/caller.ts'
import { counted } from '../../../format/counts.ts'
import { formatUtcMoment } from '../../../format/moments.ts'
import { document, type Frame } from '../../../pages/parts/document.ts'
import { visitorBy } from '../../../pages/parts/gate.ts'
import type { Page } from '../../../pages/parts/markup.ts'
import { type PageParts, pageAnswer, unknownAnswer } from '../../../pages/parts/parts.ts'
import type { Context } from '../../../records/context.ts'
import { findRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { currentAccount } from '../../../resources/company/account/current.ts'
import { SocialAccount } from '../resources/social-account/social-account.ts'
import { type Shown, shownAs } from '../resources/social-delivery/publish.ts'
import { SocialDelivery } from '../resources/social-delivery/social-delivery.ts'
import { platformOf } from '../resources/social-platform/platforms.ts'
import { SocialPost } from '../resources/social-post/social-post.ts'

const [byDelivery, byDeletedPost] = [visitorBy('social_deliveries'), visitorBy('sandbox_posts')]

/** Functions that return the caller for a visitor of a profile or a post, or null if the id is unknown. */
export const visitorOf = {
  profile: visitorBy('social_accounts'),
  post: async (parts: PageParts, id: string) => (await byDelivery(parts, id)) ?? byDeletedPost(parts, id),
}

/** Returns the pages that a simulated platform would have: profiles, and the posts published there. */
export function simulatedPages({ pipeline, publicUrl }: PageParts) {
  const showing =
    <Found>(find: (context: Context, id: string) => Promise<Found | null>, page: (found: Found) => Page) =>
    async (caller: VisitorCaller): Promise<Response> => {
      const found = await pipeline.visits.look(caller, (context) => find(context, caller.pageId))
      return found ? pageAnswer(page(found)) : unknownAnswer(`${publicUrl}/`)
    }
  return { profile: showing(profileOf, profilePage), post: showing(publishedPostOf, postPage) }
}

interface SimulatedProfile {
  frame: Frame
  platform: string
  username: string
  followers: number
}

/** Returns the profile of a simulated account. Returns null for an account on a real platform or without a connection. */
async function profileOf(context: Context, id: string): Promise<SimulatedProfile | null> {
  const account = await findRow(context, SocialAccount, id)
  if (!account || account.username === null || !context.services.social.named(account.provider).simulation) return null
  return {
    frame: await frameOf(context),
    platform: platformOf(account.platform).name,
    username: account.username,
    followers: account.followers_count ?? 0,
  }
}

type PublishedPost = Shown & SimulatedProfile

async function publishedPostOf(context: Context, id: string): Promise<PublishedPost | null> {
  const shown = (await shownOf(context, id)) ?? (await deletedPostOf(context, id))
  const profile = shown && (await profileOf(context, shown.social_account))
  return profile && { ...shown!, ...profile }
}

async function shownOf(context: Context, id: string): Promise<Shown | null> {
  const delivery = await findRow(context, SocialDelivery, id)
  if (delivery?.status !== 'published') return null
  const post = await findRow(context, SocialPost, delivery.social_post)
  return post ? shownAs(context, post, delivery) : null
}

/** Returns a post that was deleted in the shop but stays on the simulated platform, or null. */
async function deletedPostOf(context: Context, id: string): Promise<Shown | null> {
  return (await rowsOf(context, 'sandbox_posts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

async function frameOf(context: Context): Promise<Frame> {
  const { name, support_email: email } = await currentAccount(context)
  return { shop: { name, email }, test: false }
}

function profilePage({ frame, platform, username, followers }: SimulatedProfile): Page {
  const content = html`<div class="message"><p class="eyebrow">${platform} (sandbox)</p><h1>${username}</h1>
<p>${followers} followers.</p>${SIMULATED_NOTE}</div>`
  return document(username, frame, content)
}

function postPage({ frame, platform, username, ...post }: PublishedPost): Page {
  const { content, media_count: files, first_comment, published_at } = post
  return document(
    `Post by ${username}`,
    frame,
    html`<div class="message"><p class="eyebrow">${platform} (sandbox)</p><h1>Post by ${username}</h1>
${content.split('\n').map((line) => html`<p>${line}</p>`)}
${files > 0 ? html`<p class="hint">With ${counted(files, 'file')}.</p>` : ''}
${first_comment ? html`<p><strong>${username}</strong>: ${first_comment}</p>` : ''}
<p class="hint"><time datetime="${published_at}">${formatUtcMoment(published_at)}</time></p>${SIMULATED_NOTE}</div>`,
  )
}

const SIMULATED_NOTE = html`<p class="hint">This page is part of the built-in sandbox. Nothing was published outside this service.</p>`
