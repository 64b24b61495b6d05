import { type Env, Hono } from 'hono'
import { PostLimit } from '../parts/form.ts'
import type { PageParts, RequestOf } from '../parts/page-parts.ts'
import { domainOfWww, type HostParts, hostOwners, isServed } from './hosts.ts'

/** The maximum number of requests about unknown hosts per client and minute. */
const QUESTIONS_PER_MINUTE = 600
const HOST = /^[\w.-]{1,253}$/

/** Adds the route at which a proxy asks whether it may request a host's certificate. */
export function hostAddresses<E extends Env>(
  parts: HostParts & Pick<PageParts, 'takeTurn'>,
  incomingOf: RequestOf<E>,
): Hono<E> {
  const app = new Hono<E>()
  const asks = new PostLimit('questions about hosts', parts, { ofClient: QUESTIONS_PER_MINUTE })
  const known = knownHosts(parts)
  app.get('/site-hosts', async (context) => {
    if (await known(context.req.query('domain') ?? '')) return emptyResponse(200)
    // All requests come through the same proxy, so only requests about unknown hosts are counted.
    const seconds = await asks.waitSeconds(incomingOf(context).address)
    return seconds > 0 ? emptyResponse(429, { 'Retry-After': String(seconds) }) : emptyResponse(404)
  })
  return app
}

/** Returns a function that says whether a host is served. It does not query DNS, because proxies wait for the response. */
function knownHosts(parts: HostParts): (host: string) => Promise<boolean> {
  const ownerOf = hostOwners(parts)
  return async (given) => {
    const host = given.toLowerCase()
    const owner = HOST.test(given) ? ownerOf(host) : 'service'
    if (owner === 'service') return false
    if (await isServed(parts, host)) return true
    const domain = owner === 'account' ? domainOfWww(host) : null
    return domain !== null && isServed(parts, domain)
  }
}

function emptyResponse(status: number, more: Record<string, string> = {}): Response {
  const headers = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', ...more }
  return new Response(null, { status, headers })
}
