import { isIP } from 'node:net'
import type { SiteParts } from './parts.ts'

/** Whose a host is: the service's own, that of a site by its subdomain, or perhaps one of a site's own domain. */
export type HostOwner = 'service' | { subdomain: string } | { domain: string }

/** Tells whose each host is, without looking anything up. Hosts of the service are never a site's, whatever a site claims. */
export function hostOwners({ publicUrl, ownHosts, services }: SiteParts): (host: string) => HostOwner {
  const { sitesDomain } = services
  const own = new Set(['localhost', new URL(publicUrl).hostname, ...ownHosts.map(nameOf)])
  return (host) => {
    if (sitesDomain === null || own.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'service'
    if (host.endsWith(`.${sitesDomain}`)) return { subdomain: host.slice(0, -sitesDomain.length - 1) }
    return host.includes('.') ? { domain: host } : 'service'
  }
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
