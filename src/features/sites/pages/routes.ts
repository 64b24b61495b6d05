import { type Context, type Env, Hono } from 'hono'
import { idPattern } from '../../../contract/values/ids.ts'
import { domainOfWww, hostOwners, isServed } from '../../../pages/hosts/hosts.ts'
import { type PageRequest, PostLimit, refused, slowDown } from '../../../pages/parts/parts.ts'
import { addressOfHost, hostsOf } from '../resources/ai-site/address.ts'
import { AiSite } from '../resources/ai-site/ai-site.ts'
import { makePass } from '../resources/ai-site/passes.ts'
import { findServed, mayVisit, type ServedSite } from '../resources/ai-site/served.ts'
import type { SiteParts } from './parts.ts'
import { ENTRANCE } from './serve.ts'

/** Requests per minute of one client, counted separately for questions about hosts and for visits. */
const REQUESTS_PER_MINUTE = 600
const HOST = /^[\w.-]{1,253}$/
const SITE_ID = idPattern(AiSite.prefix)

/** Routes of the service for sites: whether a person may visit a private site, and whether a proxy may request a host's certificate. */
export function siteAddresses<E extends Env>(
  parts: SiteParts,
  incomingOf: (context: Context<E>) => PageRequest,
): Hono<E> {
  const app = new Hono<E>()
  const asks = new PostLimit('questions about sites', parts, {
    ofClient: REQUESTS_PER_MINUTE,
    aboutOne: Number.POSITIVE_INFINITY,
  })
  const known = knownHosts(parts)
  app.get('/site-hosts', async (context) => {
    if (await known(context.req.query('domain') ?? '')) return emptyResponse(200)
    // All requests come through the same proxy, so only requests about unknown hosts are counted.
    const seconds = await asks.waitSeconds(incomingOf(context).address, 'hosts')
    return seconds > 0 ? emptyResponse(429, { 'Retry-After': String(seconds) }) : emptyResponse(404)
  })
  app.get('/site-visits/:id', async (context) => {
    const incoming = incomingOf(context)
    const seconds = await asks.waitSeconds(incoming.address, 'visits')
    if (seconds > 0) return slowDown('Too many visits were asked for from your network.', seconds)
    return letIn(parts, incoming, context.req.param('id'))
  })
  return app
}

/** Proxies wait for the response before they request a certificate, so DNS is not queried. */
function knownHosts(parts: SiteParts): (host: string) => Promise<boolean> {
  const ownerOf = hostOwners(parts)
  return async (host) => {
    const owner = HOST.test(host) ? ownerOf(host.toLowerCase()) : 'service'
    if (owner === 'service') return false
    if (await isServed(parts, owner)) return true
    const domain = 'domain' in owner ? domainOfWww(owner.domain) : null
    return domain !== null && (await isServed(parts, { domain }))
  }
}

/** Redirects a person who may visit a private site back to the site with a pass. Other people learn nothing about the site. */
async function letIn(parts: SiteParts, { header, request }: PageRequest, id: string): Promise<Response> {
  const { searchParams, pathname, search } = new URL(request.url)
  const person = await parts.people.personOf(header)
  if (!person) return redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`)
  const site = SITE_ID.test(id) ? await findServed(parts.database.read, { id }) : null
  const host = searchParams.get('host') ?? ''
  if (!site || !isHostOf(parts, site, host) || !(await mayVisit(parts.database.read, site, person.userId)))
    return refused(403, {
      title: 'This site is not open to you',
      words:
        'Its owner decides who can visit it. You may be signed in with another account than the one that you need.',
      way: { url: `${parts.publicUrl}/dashboard`, words: 'Go to the dashboard' },
    })
  const { database, services } = parts
  const pass = await makePass({ database, vault: services.vault, place: { site: site.id, host } }, person.userId)
  const query = new URLSearchParams({ pass, path: searchParams.get('path') ?? '/' })
  return redirect(`${addressOfHost(parts, host)}${ENTRANCE}?${query}`)
}

function isHostOf({ services }: SiteParts, site: ServedSite, host: string): boolean {
  return hostsOf({ services }, site).includes(host)
}

const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

function redirect(Location: string): Response {
  return new Response(null, { status: 303, headers: { ...NO_STORE, Location } })
}

function emptyResponse(status: number, more: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...NO_STORE, ...more } })
}
