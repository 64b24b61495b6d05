import { type CookieOptions, cookieIn, cookieOptionsOf, setCookie } from '../../../access/people/session-cookie.ts'
import type { HeaderOf } from '../../../contract/requests/header-of.ts'
import { HOST_HEADERS, type HostPages, NO_STORE } from '../../../pages/hosts/hosts.ts'
import type { Vault } from '../../../records/services.ts'
import { type SitePlace, takePass } from '../resources/ai-site/passes.ts'
import { findServed, mayVisit, type ServedSite } from '../resources/ai-site/served.ts'
import { BADGE_STYLE, noSuchPage, noSuchSite, notAllowed, notBuilt, notOpen, SERVICE_PATH } from './answers.ts'
import { answerFile, type SiteParts } from './files.ts'

const VISIT_SECONDS = 60 * 60
const SIGNATURE_PURPOSE = 'site visit'

interface SiteRequest {
  request: Request
  url: URL
  host: string
  header: HeaderOf
}

/** Returns the pages of sites on their hosts, or null if this service hosts no sites. */
export function siteHosts(parts: SiteParts): HostPages | null {
  const { sitesDomain } = parts.services
  if (sitesDomain === null) return null
  const isBelow = (host: string) => host.endsWith(`.${sitesDomain}`)
  const find = (host: string) => {
    const owner = isBelow(host) ? { subdomain: host.slice(0, -sitesDomain.length - 1) } : { domain: host }
    return findServed(parts.database.read, owner)
  }
  return {
    async answer({ request, host, header, record }) {
      const site = await find(host)
      if (site === null && !isBelow(host)) return null
      if (record) record.operation = 'site'
      return answer(parts, site, { request, url: new URL(request.url), host, header })
    },
    async serves(host) {
      const site = await find(host)
      return site !== null && site.current_build !== null
    },
  }
}

async function answer(parts: SiteParts, site: ServedSite | null, asked: SiteRequest): Promise<Response> {
  const { method } = asked.request
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...HOST_HEADERS, Allow: ALLOWED } })
  if (method !== 'GET' && method !== 'HEAD') return notAllowed(method)
  if (site === null) return noSuchSite()
  if (asked.url.pathname.startsWith(SERVICE_PATH)) return servicePathResponse(parts, site, asked)
  if (site.access_mode !== 'public') {
    const refusal = await refusalOf(parts, site, asked)
    if (refusal) return refusal
  }
  if (site.current_build === null) return notBuilt()
  const { pathname, search } = asked.url
  return answerFile(parts, site, { method, header: asked.header, pathname, search })
}

const ALLOWED = 'GET, HEAD, OPTIONS'

/**
 * Returns null if the visitor may see the private site. Refuses other visitors who have a cookie of the site, and redirects those
 * without one to the service, which redirects them back with a pass.
 */
async function refusalOf(parts: SiteParts, site: ServedSite, asked: SiteRequest): Promise<Response | null> {
  const { services, database, publicUrl } = parts
  const { host, header, url } = asked
  const cookie = cookieIn(header, cookieOf(parts).name)
  const visitor = cookie === null ? null : holderOf(services.vault, { site: site.id, host }, cookie)
  if (visitor !== null) return (await mayVisit(database.read, site, visitor)) ? null : notOpen()
  const query = new URLSearchParams({ host, path: url.pathname + url.search })
  return redirect(`${publicUrl}/site-visits/${site.id}?${query}`)
}

async function servicePathResponse(parts: SiteParts, site: ServedSite, asked: SiteRequest): Promise<Response> {
  const { url, header, host } = asked
  if (url.pathname === BADGE_STYLE.address)
    return BADGE_STYLE.answer({ req: { header: (name) => header(name.toLowerCase()) ?? undefined } })
  // A pass works only once, and a HEAD request must not use it up.
  if (url.pathname !== ENTRANCE || asked.request.method !== 'GET') return noSuchPage()
  const place = { site: site.id, host }
  const { database, services } = parts
  const userId = await takePass({ database, vault: services.vault, place }, url.searchParams.get('pass') ?? '')
  if (userId === null || !(await mayVisit(database.read, site, userId))) return notOpen()
  const cookie = visitCookie(parts, place, userId)
  return redirect(ownPathOf(url), { 'Set-Cookie': cookie })
}

/** The path at which a visitor exchanges a pass for a cookie. */
export const ENTRANCE = `${SERVICE_PATH}enter`

/** Returns the path in the query if it is on the same host, otherwise the path of the start page. */
function ownPathOf({ origin, searchParams }: URL): string {
  const given = URL.parse(searchParams.get('path') ?? '/', origin)
  const path = given?.origin === origin ? given.pathname + given.search : '/'
  return /^\/[/\\]/.test(path) ? '/' : path
}

function redirect(Location: string, more: Record<string, string> = {}): Response {
  const headers = { ...HOST_HEADERS, ...NO_STORE, 'Referrer-Policy': 'no-referrer', ...more, Location }
  return new Response(null, { status: 303, headers })
}

function cookieOf({ publicUrl }: SiteParts): CookieOptions {
  return cookieOptionsOf(publicUrl, 'shopwright_site')
}

/** Returns the cookie that lets a person visit the site for an hour, and only on this host. */
function visitCookie(parts: SiteParts, place: SitePlace, userId: string): string {
  const expires = Math.floor(Date.now() / 1000) + VISIT_SECONDS
  const signature = parts.services.vault.derive(SIGNATURE_PURPOSE, signedText(place, userId, String(expires)))
  return setCookie(cookieOf(parts), `${userId}.${expires}.${signature}`, VISIT_SECONDS)
}

function holderOf(vault: Vault, place: SitePlace, given: string): string | null {
  const [, userId, expires, signature] = /^([a-z0-9_]{1,60})\.(\d{1,12})\.([\w-]{43})$/.exec(given) ?? []
  if (userId === undefined || expires === undefined || signature === undefined) return null
  if (Number(expires) * 1000 <= Date.now()) return null
  return vault.matches(SIGNATURE_PURPOSE, signedText(place, userId, expires), signature) ? userId : null
}

/** Returns the text to sign. Its parts contain no spaces, so different parts never give the same text. */
function signedText({ site, host }: SitePlace, userId: string, expires: string): string {
  return `${site} ${host} ${userId} ${expires}`
}
