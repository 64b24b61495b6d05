import type { DomainRecords } from './provider.ts'
import { domainRecords } from './resolver/resolver.ts'

interface DnsSettings {
  DNS_SERVERS: readonly string[]
}

/** Looks records up at the name servers of the settings, or at those of the system. */
export function createDomains({ DNS_SERVERS: servers }: DnsSettings): DomainRecords {
  return domainRecords(servers)
}
