import type { DomainRecords } from './provider.ts'
import { domainRecords } from './resolver/resolver.ts'

interface DnsSettings {
  DNS_SERVERS: readonly string[]
}

/** Uses the configured name servers, or the system's. */
export function createDomains({ DNS_SERVERS: servers }: DnsSettings): DomainRecords {
  return domainRecords(servers)
}
