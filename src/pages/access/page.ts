import { html } from 'hono/html'
import type { Context } from '../../records/context.ts'
import type { Page } from '../parts/markup.ts'
import { shopAnswer, shopFrame, shopPage } from '../storefront/frame.ts'

interface AccessAnswer {
  title: string
  content: Page
  status?: number
  headers?: Record<string, string>
}

export async function accessAnswer(
  context: Context,
  { title, content, status = 200, headers = {} }: AccessAnswer,
): Promise<Response> {
  const page = shopPage({ title, secret: true }, await shopFrame(context), html`<h1>${title}</h1>${content}`)
  return shopAnswer(page, { status, headers, secret: true, forms: true })
}

export function wayHome(path: string): Page {
  return html`<p class="way"><a href="${path}">Your purchases</a></p>`
}
