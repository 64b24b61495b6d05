import type { Context } from '../../../records/context.ts'
import type { AiSiteRow } from './ai_site.ts'

type Place = Pick<Context, 'publicUrl' | 'services'>
type Named = Pick<AiSiteRow, 'subdomain' | 'verified_domain'>

/** The hosts at which a site is served: below the domain of sites, and at its own domain once that is verified. */
export function hostsOf({ services: { sitesDomain } }: Pick<Place, 'services'>, site: Named): string[] {
  const below = site.subdomain !== null && sitesDomain !== null ? [`${site.subdomain}.${sitesDomain}`] : []
  return [...below, ...(site.verified_domain === null ? [] : [site.verified_domain])]
}

/** An address of a host of sites: they are reached by the scheme and the port of the service itself. */
export function addressOfHost({ publicUrl }: Pick<Place, 'publicUrl'>, host: string): string {
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

/** Where a site is served, without a slash at the end; null where it has no host. */
export function servedUrl(place: Place, site: Named): string | null {
  const [first] = hostsOf(place, site)
  return first === undefined ? null : addressOfHost(place, first)
}

/** Where a site can be visited: here, or where an agent has put it. */
export function siteUrl(place: Place, site: Named & Pick<AiSiteRow, 'current_build' | 'reported_url'>): string | null {
  return site.current_build === null ? site.reported_url : servedUrl(place, site)
}
