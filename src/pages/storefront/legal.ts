import { html } from 'hono/html'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { LegalPage } from '../../resources/content/legal_page/legal_page.ts'
import { shopAnswer } from './answers.ts'
import { shopFrame, shopPage } from './frame.ts'
import { prose } from './prose.ts'

/** A published legal page. Null where there is none of the slug. */
export async function legalPage(context: Context, slug: string): Promise<Response | null> {
  const page = await findRow(context, LegalPage, slug)
  if (!page?.published) return null
  const frame = await shopFrame(context)
  const { title, content } = page
  const about = { title, url: `${frame.url}/legal/${page.slug}` }
  return shopAnswer(shopPage(about, frame, html`<h1>${title}</h1>${prose(content)}`))
}
