import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { withoutMarker } from '../../../../contract/values/agent-marker.ts'
import { type Pictures, picturesOf } from '../pictures.ts'
import type { BuildOrder, BuiltSite, ShopProduct, ShopWindow, SiteBrief, SiteBuilder, SiteFile } from '../provider.ts'
import { iconOf, letterOf, themeOf, themeSheet } from './theme.ts'
import { type PageWords, wordsOf } from './words.ts'

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8')

/** Builds one page from the brief, the shop and its products, without external services. The same input gives the same files. */
export const builtInBuilder: SiteBuilder = {
  name: 'built_in',

  instructionsFor({ id, name, prompt }: SiteBrief): string {
    return [
      `This service builds the website “${name}” (${id}) by itself, from the shop, its products and its owner’s brief:`,
      withoutMarker(prompt ?? ''),
      'Make this task active to build it again, for example after products have changed.',
    ].join('\n\n')
  },

  work: { lasts: 'shortly', tokens: null, build },
}

async function build(order: BuildOrder): Promise<BuiltSite> {
  const { brief, shop } = order
  const words = wordsOf(order)
  const theme = themeOf(`${brief.prompt ?? ''} ${brief.name} ${shop.description ?? ''}`, brief.name)
  const pictures = picturesOf(shop.products)
  const parts = { words, shop, pictures }
  const files: SiteFile[] = [
    textFile('index.html', String(await homePage(parts))),
    textFile('404.html', String(await missingPage(parts))),
    textFile('assets/style.css', themeSheet(theme) + STYLE),
    textFile('assets/icon.svg', iconOf(words.title, theme)),
    ...pictures.files,
  ]
  return { files, notes: [], inputTokens: 0, outputTokens: 0 }
}

function textFile(path: string, text: string): SiteFile {
  return { path, bytes: Buffer.from(text) }
}

type Page = ReturnType<typeof html>

interface PageParts {
  words: PageWords
  shop: ShopWindow
  pictures: Pictures
}

function homePage(parts: PageParts): Page {
  const { words, shop } = parts
  const content = html`${hero(parts)}
${shop.products.length > 0 ? catalogue(parts) : ''}
${aboutSection(words)}
${shop.description && shop.description.trim() !== words.lead ? about(shop) : ''}
${contact(shop)}`
  return document(parts, words.title, content)
}

function missingPage(parts: PageParts): Page {
  const content = html`<section class="hero plain"><h1>Page not found</h1>
<p class="lead">There is no page at this address.</p><p class="ways"><a class="button" href="/">Go to the start page</a></p></section>`
  return document(parts, `Page not found · ${parts.words.title}`, content)
}

function document({ words, shop }: PageParts, title: string, content: Page): Page {
  const description = words.lead ?? `${shop.name}: ${shop.products.map(({ name }) => name).join(', ')}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description.slice(0, 300)}">
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><a class="brand" href="/"><span class="mark" aria-hidden="true">${letterOf(words.title)}</span>${words.title}</a>
<nav aria-label="Main"><ul>${shop.products.length > 0 ? html`<li><a href="/#products">Products</a></li>` : ''}<li><a href="/#contact">Contact</a></li><li><a href="${shop.url}">Shop</a></li></ul></nav></header>
<main id="main">
${content}
</main>
<footer class="foot"><p>© ${shop.name}</p>${shop.links.length > 0 ? html`<ul>${shop.links.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>`)}</ul>` : ''}</footer>
</body>
</html>
`
}

function hero({ words, shop, pictures }: PageParts): Page {
  const shown = shop.products.find((product) => pictures.pathOf.has(product))
  const path = shown && pictures.pathOf.get(shown)
  const first =
    shop.products.length > 0
      ? html`<a class="button" href="#products">See ${shop.products.length === 1 ? 'the product' : 'the products'}</a> <a class="quiet" href="${shop.url}">Visit the shop</a>`
      : html`<a class="button" href="${shop.url}">Visit the shop</a>`
  const eyebrow = words.title === shop.name ? '' : html`<p class="eyebrow">${shop.name}</p>`
  const picture = path
    ? html`<img class="figure" src="/${path}" alt="${shown?.picture?.alternative ?? ''}">`
    : html`<div class="figure drawn" aria-hidden="true"><span></span><span></span><span></span></div>`
  return html`<section class="hero"><div class="words">${eyebrow}<h1>${words.title}</h1>
${words.lead ? html`<p class="lead">${words.lead}</p>` : ''}<p class="ways">${first}</p></div>${picture}</section>`
}

function catalogue({ shop, pictures }: PageParts): Page {
  const cards = shop.products.map((product) => card(product, pictures.pathOf.get(product)))
  return html`<section id="products" aria-labelledby="products-title"><h2 id="products-title">Products</h2>
<ul class="cards${shop.products.length < 3 ? ' few' : ''}">${cards}</ul></section>`
}

/** The whole card is clickable, although only the name is a link. The picture is decorative, because the name follows as text. */
function card({ name, description, price, url }: ShopProduct, path: string | undefined): Page {
  const picture = path
    ? html`<img src="/${path}" alt="" loading="lazy" decoding="async">`
    : html`<span class="tile" aria-hidden="true">${letterOf(name)}</span>`
  return html`<li class="card">${picture}<div><h3><a href="${url}">${name}</a></h3>
${description ? html`<p class="text">${description}</p>` : ''}${price ? html`<p class="price">${price}</p>` : ''}</div></li>
`
}

function aboutSection({ facts, paragraphs }: PageWords): Page | '' {
  if (facts.length === 0 && paragraphs.length === 0) return ''
  const terms = facts.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>\n`)
  return html`<section class="about" aria-labelledby="told-title"><h2 id="told-title">Good to know</h2>
${paragraphs.map((one) => html`<p>${one}</p>\n`)}${facts.length > 0 ? html`<dl>${terms}</dl>` : ''}</section>`
}

function about({ name, description }: ShopWindow): Page {
  return html`<section class="about" aria-labelledby="about-title"><h2 id="about-title">About ${name}</h2><p>${description}</p></section>`
}

function contact({ name, email, url }: ShopWindow): Page {
  const way = email
    ? html`<p>Write to <a href="mailto:${email}">${email}</a>.</p>`
    : html`<p>Everything that ${name} offers is in <a href="${url}">the shop</a>.</p>`
  return html`<section id="contact" class="contact" aria-labelledby="contact-title"><h2 id="contact-title">${email ? 'Contact' : 'Find out more'}</h2>${way}
</section>`
}
