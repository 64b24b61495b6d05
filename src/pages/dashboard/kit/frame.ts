import { html, raw } from 'hono/html'
import { VERSION } from '../../../version.ts'
import type { Page } from '../../parts/document.ts'
import { HEAD, UNLISTED } from '../../parts/head.ts'
import { mark } from '../../parts/mark.ts'
import { banner } from './banner.ts'
import { navigation } from './navigation.ts'
import { noticeOf } from './notices.ts'
import { palette, searchLink } from './palette.ts'
import { importMap, scriptAddress } from './scripts.ts'
import { DASHBOARD_STYLE } from './stylesheet.ts'
import type { Visit } from './visit.ts'

/** A place that leads to this one. */
export interface Crumb {
  words: string
  address: string
}

export interface FrameOptions {
  title: string
  /** From the widest place to the nearest; the page itself is not among them. */
  crumbs?: Crumb[]
  /** Beside the heading: a badge, say. */
  beside?: Page | undefined
  /** Links and buttons at the right of the heading. */
  actions?: Page | undefined
  /** Under the heading, in a sentence. */
  lead?: string | Page | undefined
  /** Addresses of further scripts, for this page alone. */
  scripts?: string[]
  /** See `AnswerOptions.nonce`. */
  nonce?: string | undefined
  /** The browser always loads the page whole: its policy is not that of other pages. */
  own?: boolean
}

/** A whole page of an account. */
export function framed(visit: Visit, options: FrameOptions, content: Page): Page {
  const { title, crumbs = [], beside, actions, lead } = options
  const done = noticeOf(visit)
  return bare(
    { ...options, title: `${title} · ${visit.account.name}` },
    html`<a class="skip" href="#content">Skip to content</a>
<div class="shell">
${side(visit)}
<main id="content" tabindex="-1">
${banner(visit)}
<header class="heading">
${crumbs.length > 0 ? html`<nav class="crumbs" aria-label="Where this is"><ol>${crumbs.map(({ words, address }) => html`<li><a href="${address}">${words}</a></li>`)}</ol></nav>` : ''}
<div class="heading-line"><h1>${title}</h1>${beside ?? ''}${actions ? html`<div class="heading-actions">${actions}</div>` : ''}</div>
${lead ? html`<div class="lead">${lead}</div>` : ''}
</header>
${done ? html`<p class="notice ${done.kind}" role="${done.kind === 'bad' ? 'alert' : 'status'}">${done.words}</p>` : ''}
${content}
${zoneOf(visit, content)}
</main>
</div>
${palette(visit)}`,
  )
}

/** Whose time a page shows, where it shows any. */
async function zoneOf({ account }: Visit, content: Page): Promise<string> {
  if (!String(await content).includes('<time')) return ''
  return html`<p class="zone">Times are shown in the ${account.timezone.replaceAll('_', ' ')} time zone.</p>`
}

/** A page without an account around it. */
export function bare({ title, scripts = [], nonce, own = false }: Omit<FrameOptions, 'actions'>, body: Page): Page {
  return html`<!doctype html>
<html lang="en">
<head>
${HEAD}
${UNLISTED}
<meta name="turbo-prefetch" content="false">
${nonce === undefined ? '' : html`<meta name="csp-nonce" content="${nonce}">`}
${own ? html`<meta name="turbo-visit-control" content="reload"><meta name="turbo-cache-control" content="no-cache">` : ''}
<title>${title} · Shopwright</title>
<link rel="stylesheet" href="${DASHBOARD_STYLE.address}" data-turbo-track="reload">
<script type="importmap">${raw(importMap())}</script>
<script type="module" src="${scriptAddress('dashboard/main')}"></script>
${scripts.map((address) => html`<script type="module" src="${address}"></script>`)}
</head>
<body class="dashboard">${body}</body>
</html>`
}

function side(visit: Visit): Page {
  const { account, person, base, csrf } = visit
  const others = visit.memberships.length > 1
  return html`<aside class="side" data-controller="sidebar">
<details class="menu folds" data-controller="menu" data-action="click@window->menu#closeOutside keydown.esc->menu#close">
<summary>${mark(account.name, visit.logo)}<span class="shop-name">${account.name}</span><span class="unseen">: account and person</span></summary>
<div class="menu-sheet">
<p class="who">${person.name}<br><span>${person.email}</span></p>
<ul><li><a class="sheet-link" href="${base}/you">Your profile</a></li>
${others ? html`<li><a class="sheet-link" href="/dashboard">Other accounts</a></li>` : ''}
<li><a class="sheet-link" href="/s/${visit.account.subdomain}" data-turbo="false">Visit the shop</a></li>
<li><a class="sheet-link" href="/docs" data-turbo="false">Documentation</a></li></ul>
<form method="post" action="/sign-out" data-turbo="false"><input type="hidden" name="csrf" value="${csrf}"><button class="link sheet-link">Sign out</button></form>
<p class="version">Shopwright ${VERSION}</p>
</div></details>
${searchLink(visit)}
<details class="places folds"><summary>Menu</summary>${navigation(visit)}</details>
</aside>`
}
