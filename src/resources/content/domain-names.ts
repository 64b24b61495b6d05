import { AiSite } from '../../features/sites/resources/ai-site/ai-site.ts'
import type { Context } from '../../records/context.ts'
import { findTaken } from '../../records/unique.ts'
import { Account } from '../company/account/account.ts'

const LABEL = '_shopwright'
/** A record for one purpose does not prove a domain for the other. */
const PURPOSES = { site: 'domain of a site', shop: 'domain of a shop' } as const
type DomainKind = keyof typeof PURPOSES

type VaultContext = Pick<Context, 'services'>

export interface DomainRecord {
  type: 'TXT'
  name: string
  value: string
}

/** Returns the DNS record that proves a domain. It is derived from the vault's key and not stored. */
export function recordOf(
  { services }: VaultContext,
  kind: DomainKind,
  { id, domain }: { id: string; domain: string },
): DomainRecord {
  const value = `shopwright-${kind}=${services.vault.derive(PURPOSES[kind], `${id} ${domain}`)}`
  return { type: 'TXT', name: `${LABEL}.${domain}`, value }
}

/** Whether a domain is the service's own or a subdomain for sites. */
export function isOfService({ services, publicUrl }: Pick<Context, 'services' | 'publicUrl'>, domain: string): boolean {
  const { sitesDomain } = services
  if (domain === new URL(publicUrl).hostname) return true
  return sitesDomain !== null && (domain === sitesDomain || domain.endsWith(`.${sitesDomain}`))
}

export interface ProvenDomain {
  kind: DomainKind
  accountId: string
  /** The id of the site, or of the shop's account. */
  id: string
}

/** Searches all accounts for another site or shop that has verified the domain. */
export async function provenElsewhere(context: Context, domain: string, except: string): Promise<ProvenDomain | null> {
  const options = { except, everywhere: true }
  const site = await findTaken(context, AiSite, ['verified_domain', domain], options)
  if (site) return { kind: 'site', ...site }
  const shop = await findTaken(context, Account, ['verified_storefront_domain', domain], options)
  return shop ? { kind: 'shop', ...shop } : null
}
