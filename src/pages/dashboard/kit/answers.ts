import { html, raw } from 'hono/html'
import { parse, serialize } from 'hono/utils/cookie'
import { cut } from '../../../contract/values/values.ts'
import { VERSION } from '../../../runtime/version.ts'
import { ALWAYS } from '../../parts/asset.ts'
import { HEAD, UNLISTED } from '../../parts/document.ts'
import { mark, type Page } from '../../parts/markup.ts'
import { navigation } from './navigation.ts'
import { mayOpen } from './page-rights.ts'
import { DASHBOARD_STYLE, importMap, importMapHash, scriptAddress } from './stylesheet.ts'
import type { DashboardContext } from './visit.ts'

const PAYMENTS = '/settings/payments'

/** The default notices by the value of the query parameter `done`. */
const NOTICES = new Map([
  ['created', 'Created.'],
  ['passkey', 'Passkey added. You can now sign in with it.'],
  ['saved', 'Saved.'],
  ['address', 'We e-mailed you a link. Open it to confirm the address.'],
  ['refunded', 'The refund was made.'],
  ['deleted', 'Deleted.'],
  ['done', 'Done.'],
  ['sent', 'Sent.'],
  ['applied', 'Applied.'],
  ['rejected', 'Rejected.'],
  ['planned', 'This plan was made again, with what it would change now.'],
  ['resent', 'It is being sent again.'],
  ['asked', 'The clock is being moved.'],
])

const NOTICE_COOKIE = 'notice'
/** Long enough to load the next page and to reload it once. */
const NOTICE_SECONDS = 60
const MAX_SENTENCE = 600
/** The value of the query parameter `done` after a failure. */
const FAILED = 'failed'

const OF_PAGES = {
  ...ALWAYS,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** The hash of the style element that the installed version of Turbo adds for its progress bar. */
const TURBO_STYLE_HASH = 'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='

/** Returns a policy that allows the service's own files and, by its hash, the import map, which is the only inline script. */
function contentPolicy({ nonce, sendsTo }: Pick<AnswerOptions, 'nonce' | 'sendsTo'>): string {
  const styles = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  return [
    "default-src 'none'",
    `script-src 'self' '${importMapHash()}'`,
    `style-src 'self' '${TURBO_STYLE_HASH}'${styles}`,
    "img-src 'self' https: data:",
    "media-src 'self' https:",
    // Frames hold previews and e-mails, whose own policies block all scripts.
    "frame-src 'self'",
    `connect-src 'self'${sendsTo ? ` ${sendsTo}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export interface AnswerOptions {
  status?: number | undefined
  /** A nonce that the policy allows for style elements, which the code editor creates. */
  nonce?: string | undefined
  /** The URL prefix of another service to which scripts may send requests, such as the file store. */
  sendsTo?: string | null
  headers?: Record<string, string>
}

export async function dashboardAnswer(page: Page, { status = 200, headers, ...policy }: AnswerOptions = {}) {
  const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': contentPolicy(policy) }
  return new Response(String(await page), { status, headers: { ...OF_PAGES, ...type, ...headers } })
}

/** Redirects with 303 after a form, so that reloading does not submit it again. */
export function goTo(address: string): Response {
  return new Response(null, { status: 303, headers: { ...OF_PAGES, Location: address } })
}

export function downloadAnswer(body: BodyInit, name: string, type: string): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }
  return new Response(body, {
    headers: { ...OF_PAGES, ...headers, 'Content-Security-Policy': "default-src 'none'; sandbox" },
  })
}

/** Redirects to a page with a notice. The sentence is in a cookie for that page, so that no link can make a page show a false notice. */
export function goDone(visit: DashboardContext, address: string, word: string, sentence?: string): Response {
  if (/[?&]done=/.test(address)) return goTo(address)
  const answer = goTo(`${address}${address.includes('?') ? '&' : '?'}done=${word}`)
  const path = new URL(address, visit.parts.publicUrl).pathname
  const said = sentence === undefined ? '' : `${word} ${cut(sentence, MAX_SENTENCE)}`
  const cookie = serialize(NOTICE_COOKIE, said, {
    path,
    maxAge: said === '' ? 0 : NOTICE_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure: visit.parts.publicUrl.startsWith('https:'),
  })
  answer.headers.append('Set-Cookie', cookie)
  return answer
}

/** Redirects after a refused form to a page of this dashboard that shows the reason. */
export function goFailed(visit: DashboardContext, address: string, sentence: string): Response {
  const { pathname, searchParams, hash } = new URL(address, visit.parts.publicUrl)
  // Removes every `done` parameter, in any encoding, because the page would show its notice.
  searchParams.delete('done')
  const query = searchParams.size > 0 ? `?${searchParams}` : ''
  return goDone(visit, pathname + query + hash, FAILED, sentence)
}

/** Returns the address of the page that sent the form, or null if the browser does not name a page of this account. */
export function sentFrom({ incoming, base, parts }: DashboardContext): string | null {
  const referrer = incoming.header('referer') ?? ''
  if (!URL.canParse(referrer)) return null
  const { origin, pathname, search } = new URL(referrer)
  const isOwn = origin === new URL(parts.publicUrl).origin && (pathname === base || pathname.startsWith(`${base}/`))
  // A semicolon would break the cookie's path. The dashboard's own paths contain none.
  return isOwn && !pathname.includes(';') ? pathname + search : null
}

function noticeOf({ query, incoming }: DashboardContext): { kind: 'good' | 'bad'; words: string } | null {
  const word = query.get('done')
  if (word === null) return null
  const said = parse(incoming.header('cookie') ?? '', NOTICE_COOKIE)[NOTICE_COOKIE]
  const words = said?.startsWith(`${word} `) ? said.slice(word.length + 1) : NOTICES.get(word)
  return words === undefined ? null : { kind: word === FAILED ? 'bad' : 'good', words }
}

export interface Crumb {
  words: string
  address: string
}

export interface FrameOptions extends AnswerOptions {
  title: string
  /** The pages above this page in the hierarchy, from the top. */
  crumbs?: Crumb[]
  beside?: Page | undefined
  actions?: Page | undefined
  lead?: string | Page | undefined
  /** The addresses of scripts that this page needs in addition to the common ones. */
  scripts?: string[]
  /** Makes the browser load the page in full, because its content security policy differs from that of other pages. */
  own?: boolean
}

export function framed(visit: DashboardContext, options: FrameOptions, content: Page): Promise<Response> {
  const { title, crumbs = [], beside, actions, lead } = options
  const done = noticeOf(visit)
  const page = bare(
    { ...options, title: `${title} · ${visit.account.name}` },
    html`<a class="skip" href="#content">Skip to content</a>
<div class="shell">
${sidebar(visit)}
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
  return dashboardAnswer(page, options)
}

async function zoneOf({ account }: DashboardContext, content: Page): Promise<string> {
  if (!String(await content).includes('<time')) return ''
  return html`<p class="zone">Times are shown in the ${account.timezone.replaceAll('_', ' ')} time zone.</p>`
}

export function bare({ title, scripts = [], nonce, own = false }: FrameOptions, body: Page): Page {
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

function sidebar(visit: DashboardContext): Page {
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

/** Warns on every page if buyers cannot pay, if payments are simulated, or if the money goes to someone else. */
function banner(visit: DashboardContext): Page {
  if (visit.account.test)
    return bannerNote('Test account', 'No real money moves here, and the account has its own clock.')
  const { taking } = visit
  if (taking.by === 'service') {
    const { operatorAccount } = visit.parts.services
    const isKept = operatorAccount !== null && operatorAccount !== visit.account.id
    return isKept ? bannerNote('The operator of this service gets your money', connectLink(visit)) : html``
  }
  if (taking.by === 'test') return bannerNote('No money moves yet', connectLink(visit))
  if (taking.by === 'connection')
    return taking.connection.live === 1
      ? html``
      : bannerNote(
          'Test mode',
          html`The payment provider is connected in its test mode, so no money moves. ${connectLink(visit)}`,
        )
  if (taking.why === 'refused')
    return bannerNote(
      'Payments have stopped',
      html`The payment provider no longer takes your key. ${connectLink(visit)}`,
    )
  return bannerNote('Buyers cannot pay by card', html`No payment provider is connected. ${connectLink(visit)}`)
}

function bannerNote(strong: string, words: string | Page): Page {
  return html`<p class="test-account"><strong>${strong}</strong> ${words}</p>`
}

function connectLink(visit: DashboardContext): Page {
  if (!mayOpen(visit, PAYMENTS, 'POST')) return html`Ask an owner or admin to connect payments.`
  return html`<a href="${visit.base}${PAYMENTS}">Connect payments</a>`
}

/** Renders the link to the search page. With scripts, it opens the search palette instead. */
function searchLink({ base }: DashboardContext): Page {
  return html`<a class="search-link" href="${base}/search" data-palette-opens><span>Search</span><kbd>Ctrl K</kbd></a>`
}

/** Renders the search palette, which Ctrl+K opens. Without a query it lists recent pages. */
function palette({ base, person, membership }: DashboardContext): Page {
  return html`<dialog class="palette" aria-label="Search" data-controller="palette" data-palette-address-value="${base}/search" data-palette-person-value="${person.userId} ${membership.accountId}"
data-action="keydown@document->palette#pressed click@document->palette#clicked turbo:before-cache@document->palette#leave close->palette#closed">
<form class="palette-form" role="search" action="${base}/search" data-action="submit->palette#submit">
<label class="unseen" for="palette-field">Search this account</label>
<input type="text" enterkeyhint="search" id="palette-field" name="q" maxlength="200" placeholder="Orders, customers, pages, actions…" autocomplete="off" autocapitalize="off" spellcheck="false"
role="combobox" aria-expanded="false" aria-controls="palette-list" aria-autocomplete="list" data-palette-target="field" data-action="input->palette#typed keydown->palette#moved">
</form>
<div class="palette-list" id="palette-list" role="listbox" aria-label="Results" data-palette-target="list" hidden></div>
<p class="palette-hint" data-palette-target="none" hidden></p>
<p class="palette-hint keys"><span><kbd>↑</kbd> <kbd>↓</kbd> choose</span> <span><kbd>Enter</kbd> open</span> <span><kbd>Esc</kbd> close</span></p>
<p class="unseen" role="status" data-palette-target="status"></p>
</dialog>`
}

/** Returns the response for addresses that are unknown or belong to another account. */
export function unknownPage(visit: DashboardContext): Promise<Response> {
  const content = html`<p>It may have been deleted, or the address is wrong.</p><p><a href="${visit.base}">Go to the start page</a></p>`
  return messagePage(visit, 404, 'Page not found', content)
}

/** Returns the response when an operation refused the data that the page needs. */
export function refusedPage(visit: DashboardContext, status: number, message: string): Promise<Response> {
  const content = html`<p>${message}</p><p><a href="${visit.base}">Go to the start page</a></p>`
  return messagePage(visit, status, status === 403 ? 'You do not have permission' : 'This is not possible', content)
}

/** Returns the response to forms from another site, or from a page opened before the last sign-in. */
export function foreignFormPage(visit: DashboardContext): Promise<Response> {
  const content = html`<p>Nothing was changed. You opened it before you last signed in, or it did not come from this dashboard.</p><p><a href="${visit.path}">Open the page again</a></p>`
  return messagePage(visit, 403, 'This form has expired', content)
}

export function failurePage(visit: DashboardContext, requestId: string): Promise<Response> {
  const content = html`<p>The problem is on our side and was logged as <code>${requestId}</code>. No partial changes were made. Try again.</p>`
  return messagePage(visit, 500, 'Something went wrong', content)
}

function messagePage(visit: DashboardContext, status: number, title: string, content: Page): Promise<Response> {
  return framed(visit, { title, status }, html`<section class="card telling">${content}</section>`)
}
