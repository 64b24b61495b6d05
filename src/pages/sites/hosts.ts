import { isIP } from 'node:net'
import { accountAt } from '../../access/account-of.ts'
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

/** Whether a host shows a site that has been built, or a shop. */
export async function isServed(parts: SiteParts, owner: Exclude<HostOwner, 'service'>): Promise<boolean> {
  const site = await siteAt(parts, owner)
  if (site !== null) return site.current_build !== null
  return 'domain' in owner && (await accountAt(parts.database.read, owner.domain)) !== null
}

/**
 * The domain that `www.` stands before, whose holder has this host too unless somebody has verified it. A domain that begins with
 * `www.` itself says nothing of the shorter one, which may be somebody else's, and there is no host for `www.` before it.
 */
export function behindWww(host: string): string | null {
  const [, domain] = /^www\.(?!www\.)(.+)$/.exec(host) ?? []
  return domain ?? null
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
