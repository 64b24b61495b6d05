import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import { asset, BASE, sheets, stylesheet } from '../parts/asset.ts'
import { HEAD } from '../parts/document.ts'
import { mark, type Page } from '../parts/markup.ts'
import type { Book } from './book.ts'
import { grouped, groupTitle, operationPath, resourcePath, resourceTitle } from './catalogue.ts'
import type { Heading } from './markdown.ts'

const SHEETS = ['frame', 'search', 'navigation', 'prose', 'code', 'reference']

export const STYLE = stylesheet(
  '/docs/assets/',
  ...BASE,
  ...sheets(import.meta.url, ...SHEETS.map((name) => `styles/${name}`)),
)

/** The script that shows search results while the reader types, and adds copy buttons. */
export const SCRIPT = asset(
  '/docs/assets/enhance',
  'js',
  readFileSync(new URL('./enhance.js', import.meta.url), 'utf8'),
)

interface FramedPage {
  title: string
  description: string
  path: string
  markdownPath: string | null
  navigation: Page
  content: Page
  headings?: readonly Heading[]
  /** The content next to the page on wide screens, in place of the list of headings. */
  beside?: Page | null
  query?: string
}

export function framed(page: FramedPage, publicUrl: string): Page {
  const { title, description, path, markdownPath, content, beside = null, headings = [] } = page
  return html`<!doctype html>
<html lang="en">
<head>
${HEAD}
<title>${title} · Shopwright</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${publicUrl}${path}">
${markdownPath === null ? '' : html`<link rel="alternate" type="text/markdown" href="${markdownPath}">`}
<link rel="stylesheet" href="${STYLE.address}">
<script type="module" src="${SCRIPT.address}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${barOf(page)}
<div class="frame">
<nav class="side" id="menu" popover aria-label="Documentation">${page.navigation}</nav>
<div class="${beside ? 'with-examples' : 'with-contents'}">
<main id="content"><article>${content}${footOf(markdownPath)}</article></main>
${beside ? html`<aside class="examples" aria-label="Examples">${beside}</aside>` : contentsOf(headings)}
</div>
</div>
</body>
</html>`
}

function barOf({ query = '' }: FramedPage): Page {
  return html`<header class="bar">
<button type="button" class="menu-button" popovertarget="menu">${MENU}<span class="unseen">Menu</span></button>
<a class="brand" href="/">${mark('Shopwright')}<span>Shopwright</span></a>
<form class="search" role="search" action="/docs/search"><input type="search" name="q" value="${query}" maxlength="100" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></form>
<nav class="places" aria-label="Service"><a href="/docs">Guides</a><a href="/docs/api">Reference</a><a href="/dashboard">Dashboard</a></nav>
</header>`
}

function contentsOf(headings: readonly Heading[]): Page | string {
  const shown = headings.filter(({ depth }) => depth === 2)
  if (shown.length < 2) return html`<div class="contents"></div>`
  const links = shown.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)
  return html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2><ul>${links}</ul></nav>`
}

function footOf(markdownPath: string | null): Page | string {
  return markdownPath === null
    ? ''
    : html`<p class="page-foot"><a href="${markdownPath}">View this page as Markdown</a></p>`
}

const MENU = raw(
  '<svg aria-hidden="true" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"><path d="M3 6h14M3 10h14M3 14h14"/></svg>',
)

/** Renders the guides by chapter, then the reference by group. The group of the current page is expanded. */
export function navigation({ guides, catalogue }: Book, current: string): Page {
  const link = (path: string, title: string) =>
    html`<li><a href="${path}"${path === current ? html` aria-current="page"` : ''}>${title}</a></li>`
  const chapters = [...Map.groupBy(guides, ({ chapter }) => chapter)].map(
    ([chapter, own]) => html`<h2>${chapter}</h2><ul>${own.map(({ path, title }) => link(path, title))}</ul>`,
  )
  const groups = [...grouped(catalogue.operations)].map(([group, own]) => {
    const resources = [...new Set(own.map(({ noun }) => noun.name))]
    const isOpen =
      own.some(({ id }) => operationPath(id) === current) || resources.some((name) => resourcePath(name) === current)
    return html`<details${isOpen ? html` open` : ''}><summary>${groupTitle(group)}</summary><ul>${resources.map(
      (name) => link(resourcePath(name), resourceTitle(name)),
    )}${own.map(({ id, summary }) => link(operationPath(id), summary))}</ul></details>`
  })
  return html`${chapters}<h2>Reference</h2><ul>${link('/docs/api', 'All operations')}</ul>${groups}`
}
