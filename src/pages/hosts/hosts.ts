import { isIP } from 'node:net'
import { accountAt } from '../../access/account-of.ts'
import type { SiteParts } from '../../features/sites/pages/parts.ts'
import { findServed, type ServedSite } from '../../features/sites/resources/ai-site/served.ts'

export type HostOwner = 'service' | { subdomain: string } | { domain: string }

/** Returns a function that finds the owner of a host without a database query. Sites and shops can never claim hosts of the service. */
export function hostOwners({ publicUrl, ownHosts, services }: SiteParts): (host: string) => HostOwner {
  const { sitesDomain } = services
  const own = new Set(['localhost', new URL(publicUrl).hostname, ...ownHosts.map(hostName)])
  return (host) => {
    if (own.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'service'
    if (sitesDomain !== null && host.endsWith(`.${sitesDomain}`))
      return { subdomain: host.slice(0, -sitesDomain.length - 1) }
    return host.includes('.') ? { domain: host } : 'service'
  }
}

/** Returns the site of a host, or null. Without a domain for sites in the settings, no sites are served. */
export async function siteAt(
  { database, services }: Pick<SiteParts, 'database' | 'services'>,
  owner: Exclude<HostOwner, 'service'>,
): Promise<ServedSite | null> {
  return services.sitesDomain === null ? null : findServed(database.read, owner)
}

/** Returns whether a host serves a built site or a shop. */
export async function isServed(parts: SiteParts, owner: Exclude<HostOwner, 'service'>): Promise<boolean> {
  const site = await siteAt(parts, owner)
  if (site !== null) return site.current_build !== null
  return 'domain' in owner && (await accountAt(parts.database.read, owner.domain)) !== null
}

/** The holder of a domain also gets its `www.` host, but the holder of a `www.` domain does not get the shorter one. */
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

function hostName(given: string): string {
  return new URL(given.includes('//') ? given : `http://${given}`).hostname
}
