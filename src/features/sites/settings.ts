import { createRequire } from 'node:module'
import type { getDomain } from 'tldts'
import { httpUrl, matching } from '../../settings/forms.ts'

/** Settings for the domain of hosted sites and for the git host of their repositories. */
export const SITE_SETTINGS = {
  SITES_DOMAIN: [
    matching(
      /^(?=.{1,190}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      'it needs a domain in lower case without a port, such as sites.example',
    ).optional(),
    'Domain below which sites are served, each at its subdomain, such as `sites.example`; `localhost` unless `NODE_ENV` is production, where it must not share a registrable domain with `PUBLIC_URL`. Without it, production serves no sites',
  ],
  SITE_REPOSITORIES_URL: [
    httpUrl.default('https://github.com'),
    'Git host from which the repositories of sites are cloned, as `owner/name`',
  ],
} as const

interface Domains extends SiteSettings {
  PUBLIC_URL?: string | undefined
}

/** Returns why SITES_DOMAIN is not allowed, or null: on a shared domain, sites could set cookies for the service's own host. */
export function sharedDomain({ SITES_DOMAIN, PUBLIC_URL, NODE_ENV }: Domains): string | null {
  if (NODE_ENV !== 'production' || SITES_DOMAIN === undefined) return null
  const own = new URL(PUBLIC_URL ?? 'http://localhost').hostname
  if (!sharesDomain(SITES_DOMAIN, own)) return null
  return `SITES_DOMAIN is invalid: it needs another registrable domain than PUBLIC_URL, whose host is ${own}, so that sites cannot reach its cookies; not "${SITES_DOMAIN}".`
}

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
