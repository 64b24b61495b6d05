import type { DomainRecords } from './provider.ts'
import { domainRecords } from './resolver/resolver.ts'

interface DnsSettings {
  DNS_SERVERS: readonly string[]
}

/** Creates the lookup of DNS records at the configured name servers, or at the system's. */
export function createDomains({ DNS_SERVERS: servers }: DnsSettings): DomainRecords {
  return domainRecords(servers)
}
