import type { Context } from '../../records/context.ts'
import { findTaken } from '../../records/unique.ts'
import { Account } from '../company/account/account.ts'
import { AiSite } from './ai_site/ai_site.ts'

const LABEL = '_shopwright'
/** What a domain is for. The records of both differ, so that neither proves the other. */
const PURPOSES = { site: 'domain of a site', shop: 'domain of a shop' } as const
type Kind = keyof typeof PURPOSES

type Vaulted = Pick<Context, 'services'>

export interface DomainRecord {
  type: 'TXT'
  name: string
  value: string
}

/** The record by which whoever runs a domain says that a site, or the shop of an account, may have it. It is stored nowhere. */
export function recordOf(
  { services }: Vaulted,
  kind: Kind,
  { id, domain }: { id: string; domain: string },
): DomainRecord {
  const value = `shopwright-${kind}=${services.vault.derive(PURPOSES[kind], `${id} ${domain}`)}`
  return { type: 'TXT', name: `${LABEL}.${domain}`, value }
}

/** Whether a domain is the service's own, or one that it gives to sites by their subdomains. */
export function isOfService({ services, publicUrl }: Pick<Context, 'services' | 'publicUrl'>, domain: string): boolean {
  const { sitesDomain } = services
  if (domain === new URL(publicUrl).hostname) return true
  return sitesDomain !== null && (domain === sitesDomain || domain.endsWith(`.${sitesDomain}`))
}

/** The site or shop that has proved a domain. */
export interface ProvenDomain {
  kind: Kind
  accountId: string
  /** The id of the site or the account. */
  id: string
}

/** The other site or shop, in whichever account, that has proved a domain; null where none has. */
export async function provenElsewhere(context: Context, domain: string, except: string): Promise<ProvenDomain | null> {
  const options = { except, everywhere: true }
  const site = await findTaken(context, AiSite, ['verified_domain', domain], options)
  if (site) return { kind: 'site', ...site }
  const shop = await findTaken(context, Account, ['verified_storefront_domain', domain], options)
  return shop ? { kind: 'shop', ...shop } : null
}
