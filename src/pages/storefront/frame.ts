import { html } from 'hono/html'
import type { Branding } from '../../contract/declarations/branding.ts'
import type { Context } from '../../records/context.ts'
import { type Brand, brandOf } from '../../resources/company/account/brand.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import { hasPublishedPosts } from '../../resources/content/blog_post/published.ts'
import { publishedLegalPages } from '../../resources/content/legal_page/published.ts'
import { storefrontOf } from '../../resources/content/storefront_url.ts'
import { brandLink } from '../parts/brand.ts'
import { mark, type Page } from '../parts/markup.ts'
import { STYLE_ADDRESS } from '../parts/stylesheet.ts'
import { type About, headOf } from './head.ts'
import { STOREFRONT_STYLE } from './stylesheet.ts'

/** What every page of a shop shows around its content. */
export interface ShopFrame {
  name: string
  description: string | null
  email: string | null
  /** Its money is never real. */
  test: boolean
  /** Its start page, without a slash at the end. */
  url: string
  hasBlog: boolean
  brand: Brand
  /** Legal pages that visitors can read. */
  legal: { title: string; url: string }[]
}

/** `branding` takes the place of that of the account. */
export async function shopFrame(context: Context, branding?: Branding): Promise<ShopFrame> {
  const account = await currentAccount(context)
  const { name, description, support_email: email, test } = account
  const url = storefrontOf(context, account)
  const [hasBlog, pages] = await Promise.all([hasPublishedPosts(context), publishedLegalPages(context)])
  const legal = pages.map(({ title, slug }) => ({ title, url: `${url}/legal/${slug}` }))
  const brand = await brandOf(context, account, branding)
  return { name, description, email, test, url, hasBlog, brand, legal }
}

/** `text` is as wide as lines are read well; `wide` holds pictures and columns. */
type Width = 'text' | 'wide'

/** A whole page of a shop. */
export function shopPage(about: About, frame: ShopFrame, content: Page, width: Width = 'text'): Page {
  return html`<!doctype html>
<html lang="en">
<head>
${headOf(about, frame)}
<link rel="stylesheet" href="${STYLE_ADDRESS}">
<link rel="stylesheet" href="${STOREFRONT_STYLE.address}">
${brandLink(frame.brand)}</head>
<body class="storefront"${about.inert ? html` inert` : ''}>
<a class="skip" href="#content">Skip to content</a>
<header>${frame.test ? TEST : ''}${topOf(frame)}</header>
<main id="content"><article class="page ${width}">${content}</article></main>
${footOf(frame)}
</body>
</html>`
}

const TEST = html`<p class="test-mode"><strong>Test shop</strong> Nothing you buy here costs real money.</p>`

function topOf({ name, url, hasBlog, brand }: ShopFrame): Page {
  const blog = html`<li><a href="${url}/blog">Blog</a></li>`
  return html`<div class="top"><a class="brand" href="${url}">${mark(name, brand.logo)}<span>${name}</span></a>
<nav aria-label="Shop"><ul><li><a href="${url}">Products</a></li>${hasBlog ? blog : ''}</ul></nav></div>`
}

function footOf({ name, email, legal, url }: ShopFrame): Page {
  const links = legal.map((one) => html`<li><a href="${one.url}">${one.title}</a></li>`)
  return html`<footer class="foot"><p class="name">${name}</p><p><a href="${url}/access" rel="nofollow">Your purchases</a></p>
${links.length > 0 ? html`<ul>${links}</ul>` : ''}${email ? html`<p>Questions? <a href="mailto:${email}">${email}</a></p>` : ''}</footer>`
}
