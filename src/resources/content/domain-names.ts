import { inOnePiece } from '../../contract/values/values.ts'
import type { Context, VaultContext } from '../../records/context.ts'
import type { DomainKind } from '../../records/extensions.ts'
import { findTaken } from '../../records/unique.ts'
import { Account, type AccountRow } from '../company/account/account.ts'
import { currentAccount } from '../company/account/current.ts'

const LABEL = '_shopwright'

export const SHOP_DOMAIN: DomainKind = {
  name: 'shop',
  noun: Account,
  column: 'verified_storefront_domain',
  job: 'account.verify_domain',
  pointsHere: true,
}

export interface DomainRecord {
  type: 'TXT'
  name: string
  value: string
}

/** Returns the DNS record that proves a domain. It is derived from the vault's key and not stored. */
export function recordOf(
  { services }: VaultContext,
  { name: kind }: DomainKind,
  { id, domain }: { id: string; domain: string },
): DomainRecord {
  const value = `shopwright-${kind}=${services.vault.derive(`domain of a ${kind}`, `${id} ${domain}`)}`
  return { type: 'TXT', name: `${LABEL}.${domain}`, value }
}

/** Returns whether a domain is the service's own or reserved by one of its features. */
export function isOfService({ services, publicUrl }: Pick<Context, 'services' | 'publicUrl'>, domain: string): boolean {
  if (domain === new URL(publicUrl).hostname || services.reservedDomains.includes(domain)) return true
  return isBelowReserved(services, domain)
}

/** Returns whether a host is below a domain that a feature reserves. */
export function isBelowReserved(
  { reservedDomains }: Pick<Context['services'], 'reservedDomains'>,
  host: string,
): boolean {
  return reservedDomains.some((one) => host.endsWith(`.${one}`))
}

/** Returns the address of a host, with the scheme and the port of the service. */
export function addressOfHost({ publicUrl }: Pick<Context, 'publicUrl'>, host: string): string {
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}

export interface ProvenDomain {
  kind: DomainKind
  accountId: string
  /** The id of the row, which is that of the account for a shop. */
  id: string
}

/** Searches all accounts for another row that has verified the domain. */
export async function provenElsewhere(context: Context, domain: string, except: string): Promise<ProvenDomain | null> {
  for (const kind of [...context.services.domainKinds, SHOP_DOMAIN]) {
    const found = await findTaken(context, kind.noun, [kind.column, domain], { except, everywhere: true })
    if (found) return { kind, ...found }
  }
  return null
}

/** Returns the URL of the account's shop without a trailing slash. */
export async function storefrontUrl(context: Context): Promise<string> {
  return storefrontOf(context, await currentAccount(context))
}

/** Works like `storefrontUrl` for an account whose row is already loaded. */
export function storefrontOf(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { subdomain, verified_storefront_domain: domain }: Pick<AccountRow, 'subdomain' | 'verified_storefront_domain'>,
): string {
  return domain === null ? inOnePiece(publicUrl, '/s/', subdomain) : addressOfHost({ publicUrl }, domain)
}
