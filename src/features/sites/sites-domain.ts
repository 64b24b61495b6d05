import { createRequire } from 'node:module'
import type { getDomain } from 'tldts'

const require = createRequire(import.meta.url)

/**
 * Returns whether two hosts share a registrable domain by the public suffix list, so that browsers let each set cookies for the
 * other. A name that the list does not know, such as `localhost`, shares its domain with the names below it.
 */
export function sharesDomain(one: string, other: string): boolean {
  // The list is loaded here, because it is large and most commands never need it.
  const { getDomain: find } = require('tldts') as { getDomain: typeof getDomain }
  const [first, second] = [one, other].map((host) => find(host, { allowPrivateDomains: true }) ?? host)
  return first === second || isBelow(one, other) || isBelow(other, one)
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

interface SiteSettings {
  SITES_DOMAIN?: string | undefined
  NODE_ENV: string
}

/** Returns the domain under which sites are hosted, or null if this service hosts none. */
export function sitesDomainOf({ SITES_DOMAIN, NODE_ENV }: SiteSettings): string | null {
  return SITES_DOMAIN ?? (NODE_ENV === 'production' ? null : 'localhost')
}
