import { html } from 'hono/html'
import type { Context } from '../../records/context.ts'
import { shopAnswer } from './answers.ts'
import { shopFrame, shopPage } from './frame.ts'

/** What a shop does not have, or does not show: visitors cannot tell which. */
export async function unknownInShop(context: Context): Promise<Response> {
  const frame = await shopFrame(context)
  const title = 'Page not found'
  const words = html`<h1>${title}</h1><p class="lead">It may have moved, or it is no longer available.</p>
<p class="onward"><a class="button" href="${frame.url}">See what ${frame.name} offers</a></p>`
  return shopAnswer(shopPage({ title, unlisted: true }, frame, words), { status: 404 })
}
