import type { Context } from '../../../records/context.ts'
import { isTaken } from '../../../records/unique.ts'
import { AiSite } from './ai_site.ts'

const PURPOSE = 'domain of a site'
const LABEL = '_shopwright'

type Vaulted = Pick<Context, 'services'>

export interface DomainRecord {
  type: 'TXT'
  name: string
  value: string
}

/** The record by which whoever runs a domain says that this site may have it. It is stored nowhere. */
export function recordOf({ services }: Vaulted, id: string, domain: string): DomainRecord {
  const value = `shopwright-site=${services.vault.derive(PURPOSE, `${id} ${domain}`)}`
  return { type: 'TXT', name: `${LABEL}.${domain}`, value }
}

/** Whether a domain is the service's own, or one that it gives to sites by their subdomains. */
export function isOfService({ services, publicUrl }: Pick<Context, 'services' | 'publicUrl'>, domain: string): boolean {
  const { sitesDomain } = services
  if (domain === new URL(publicUrl).hostname) return true
  return sitesDomain !== null && (domain === sitesDomain || domain.endsWith(`.${sitesDomain}`))
}

/** Whether another site, here or in another account, has proved that the domain is its own. */
export function isProvenElsewhere(context: Context, domain: string, site: string): Promise<boolean> {
  return isTaken(context, AiSite, ['verified_domain', domain], { except: site, everywhere: true })
}
