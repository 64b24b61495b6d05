import { isIP } from 'node:net'
import { html } from 'hono/html'
import { accountAt } from '../../access/account-of.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import { isBelowReserved } from '../../resources/content/domain-names.ts'
import { ALWAYS } from '../parts/asset.ts'
import type { PageParts } from '../parts/page-parts.ts'

export interface HostRequest {
  request: Request
  host: string
  header: HeaderOf
  /** The log record of the request. The pages that respond set its `operation` to their name. */
  record: { operation: string } | undefined
}

/** The pages of a feature on hosts other than the service's own. */
export interface HostPages {
  /** Responds to a request, or returns null if the host does not belong to these pages. */
  answer(asked: HostRequest): Promise<Response | null>
  /** Returns whether the host has something to show, so that a proxy may request its certificate. */
  serves(host: string): Promise<boolean>
}

export interface HostParts extends Pick<PageParts, 'services' | 'database' | 'publicUrl' | 'log'> {
  /** Other hosts of the service, with or without a port. */
  ownHosts: readonly string[]
  hostPages: readonly HostPages[]
}

/** The owner of a host: the service, a feature that reserves the parent domain, or an account, which must verify the domain. */
type HostOwner = 'service' | 'feature' | 'account'

/** Returns a function that finds the owner of a host without a database query. Accounts can never claim hosts of the service. */
export function hostOwners({ publicUrl, ownHosts, services }: HostParts): (host: string) => HostOwner {
  const own = new Set([
    'localhost',
    new URL(publicUrl).hostname,
    ...ownHosts.map((host) => new URL(host.includes('//') ? host : `http://${host}`).hostname),
  ])
  return (host) => {
    if (own.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'service'
    if (isBelowReserved(services, host)) return 'feature'
    return host.includes('.') ? 'account' : 'service'
  }
}

/** Returns whether a host has pages of a feature or a shop. */
export async function isServed({ database, hostPages }: HostParts, host: string): Promise<boolean> {
  for (const pages of hostPages) if (await pages.serves(host)) return true
  return (await accountAt(database.read, host)) !== null
}

/** Returns the domain of a `www.` host, or null. The holder of `example.com` also gets `www.example.com`, but not the reverse. */
export function domainOfWww(host: string): string | null {
  const [, domain] = /^www\.(?!www\.)(.+)$/.exec(host) ?? []
  return domain ?? null
}

/** Returns the host of a URL in lower case, without its port and without a dot at the end. */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const authority = url.slice(start, end < 0 ? undefined : end)
  const name = authority.startsWith('[') ? authority.replace(/\]:\d+$/, ']') : authority.replace(/:\d+$/, '')
  return name.toLowerCase().replace(/\.$/, '')
}

/** Blocks content of other sites, requests to them, and framing. The service is another site, so pages here cannot reach it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const HOST_HEADERS = {
  ...ALWAYS,
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

export const NO_STORE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' }

/** Returns a page with a message, for a host other than the service's own. */
export async function hostMessage(status: number, title: string, words: string, more = {}): Promise<Response> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; font: 1.0625rem/1.6 system-ui, sans-serif } h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.2 } p { margin: 0 }</style>
</head>
<body><main><h1>${title}</h1><p>${words}</p></main></body>
</html>`
  const headers = { ...HOST_HEADERS, ...NO_STORE, 'Content-Type': 'text/html; charset=utf-8', ...more }
  return new Response(String(await page), { status, headers })
}
