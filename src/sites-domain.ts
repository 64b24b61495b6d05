import { createRequire } from 'node:module'
import type { getDomain } from 'tldts'

const require = createRequire(import.meta.url)

/**
 * Whether two hosts are of the same registrable domain, by the list of public suffixes: browsers let each set cookies for the
 * other. Names that the list does not know, such as `localhost`, share theirs with what ends with them.
 */
export function sharesDomain(one: string, other: string): boolean {
  // The list is large, and most commands never need it.
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

/** The domain below which sites are served; null where none are. */
export function sitesDomainOf({ SITES_DOMAIN, NODE_ENV }: SiteSettings): string | null {
  return SITES_DOMAIN ?? (NODE_ENV === 'production' ? null : 'localhost')
}
