import { randomBytes } from 'node:crypto'
import { invalid } from '../../../../contract/declarations/errors.ts'
import { isReserved, RESERVED_PROBLEM } from '../../../../contract/values/reserved-names.ts'
import type { Context } from '../../../../records/context.ts'
import { kebabCase } from '../../../../records/slugs.ts'
import { isTaken, requireUnique } from '../../../../records/unique.ts'
import { addressOfHost } from '../../../../resources/content/domain-names.ts'
import { AiSite, type AiSiteRow } from './ai-site.ts'

const MAX_BASE = 50
/** The highest number that is appended to a taken subdomain; after that comes a random suffix. */
const TRIES = 9

type SiteUrlContext = Pick<Context, 'publicUrl' | 'services'>
type SiteNames = Pick<AiSiteRow, 'subdomain' | 'verified_domain'>

/** Returns the host names of a site: its subdomain, and its own domain once that is verified. */
export function hostsOf({ services: { sitesDomain } }: Pick<SiteUrlContext, 'services'>, site: SiteNames): string[] {
  const below = site.subdomain !== null && sitesDomain !== null ? [`${site.subdomain}.${sitesDomain}`] : []
  return [...below, ...(site.verified_domain === null ? [] : [site.verified_domain])]
}

/** Returns the URL at which this service serves the site, without a trailing slash; null if the site has no host name. */
export function servedUrl(place: SiteUrlContext, site: SiteNames): string | null {
  const [first] = hostsOf(place, site)
  return first === undefined ? null : addressOfHost(place, first)
}

/** Returns the URL of the site on this service, or the one that an agent reported. */
export function siteUrl(
  place: SiteUrlContext,
  site: SiteNames & Pick<AiSiteRow, 'current_build' | 'reported_url'>,
): string | null {
  return site.current_build === null ? site.reported_url : servedUrl(place, site)
}

/** Throws a 422 if the subdomain is reserved or belongs to a site of any account. */
export async function requireFreeSubdomain(context: Context, subdomain: string, except?: string): Promise<void> {
  if (isReserved(subdomain)) throw invalid({ subdomain: [RESERVED_PROBLEM] })
  return requireUnique(context, AiSite, ['subdomain', subdomain], 'subdomain', { except, everywhere: true })
}

/** Derives a subdomain from a name, with a number or a random suffix if it is taken. */
export async function freeSubdomain(context: Context, name: string): Promise<string> {
  const words = kebabCase(name).slice(0, MAX_BASE).replace(/-$/, '')
  const base = words.length < 3 ? `${words}-site`.replace(/^-/, '') : words
  for (let number = 0; number <= TRIES; number++) {
    const subdomain = number === 0 ? base : `${base}-${number}`
    if (isReserved(subdomain)) continue
    if (!(await isTaken(context, AiSite, ['subdomain', subdomain], { everywhere: true }))) return subdomain
  }
  return `${base}-${randomBytes(4).toString('hex')}`
}
