import { isIP } from 'node:net'
import { accountAt } from '../../access/account-of.ts'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Database } from '../../database/database.ts'
import type { Services } from '../../records/services.ts'
import { isBelowReserved } from '../../resources/content/domain-names.ts'
import type { Tables } from '../../resources/tables.ts'

export interface HostRequest {
  request: Request
  host: string
  header: HeaderOf
  /** The record of the request, whose `operation` names the pages that respond. */
  record: { operation: string } | undefined
}

/** The pages of a feature on hosts other than the service's own. */
export interface HostPages {
  /** Responds to a request, or returns null if the host does not belong to these pages. */
  answer(asked: HostRequest): Promise<Response | null>
  /** Returns whether the host has something to show, so that a proxy may request its certificate. */
  serves(host: string): Promise<boolean>
}

export interface HostParts {
  services: Services
  database: Database<Tables>
  /** The URL has no slash at the end. */
  publicUrl: string
  /** Other hosts of the service, with or without a port. */
  ownHosts: readonly string[]
  hostPages: readonly HostPages[]
  log: { error(details: object, message: string): void }
}

/** The owner of a host: the service, a feature that reserves the domain above it, or the account that has verified the domain. */
export type HostOwner = 'service' | 'feature' | 'account'

/** Returns a function that finds the owner of a host without a database query. Accounts can never claim hosts of the service. */
export function hostOwners({ publicUrl, ownHosts, services }: HostParts): (host: string) => HostOwner {
  const own = new Set(['localhost', new URL(publicUrl).hostname, ...ownHosts.map(hostName)])
  return (host) => {
    if (own.has(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'service'
    if (isBelowReserved(services, host)) return 'feature'
    return host.includes('.') ? 'account' : 'service'
  }
}

/** Returns whether a host has pages of a feature or a shop. */
export async function isServed({ database, hostPages }: HostParts, host: string): Promise<boolean> {
  for (const pages of hostPages) if (await pages.serves(host)) return true
  return (await accountAt(database.read, host)) !== null
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
