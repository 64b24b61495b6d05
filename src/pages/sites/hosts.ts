import { isIP } from 'node:net'
import { findServed, type ServedSite } from '../../resources/content/ai_site/served.ts'
import type { SiteParts } from './parts.ts'

/** Whose a host is: the service's own, that of a site by its subdomain, or perhaps the own domain of a site or a shop. */
export type HostOwner = 'service' | { subdomain: string } | { domain: string }

/** Tells whose each host is, without looking anything up. Hosts of the service are never those of a site or a shop, whatever these claim. */
export function hostOwners({ publicUrl, ownHosts, services }: SiteParts): (host: string) => HostOwner {
  const { sitesDomain } = services
  const own = new Set(['localhost', new URL(publicUrl).hostname, ...ownHosts.map(nameOf)])
  return (host) => {
    if (own.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'service'
    if (sitesDomain !== null && host.endsWith(`.${sitesDomain}`))
      return { subdomain: host.slice(0, -sitesDomain.length - 1) }
    return host.includes('.') ? { domain: host } : 'service'
  }
}

/** The site that is served at a host, or null. Without a domain for sites, none is served. */
export async function siteAt(
  { database, services }: Pick<SiteParts, 'database' | 'services'>,
  owner: Exclude<HostOwner, 'service'>,
): Promise<ServedSite | null> {
  return services.sitesDomain === null ? null : findServed(database.read, owner)
}

/** The name of the host that a request is for, in lower case, without its port and without a dot at the end. */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const authority = url.slice(start, end < 0 ? undefined : end)
  const name = authority.startsWith('[') ? authority.replace(/\]:\d+$/, ']') : authority.replace(/:\d+$/, '')
  return name.toLowerCase().replace(/\.$/, '')
}

function nameOf(given: string): string {
  return new URL(given.includes('//') ? given : `http://${given}`).hostname
}
