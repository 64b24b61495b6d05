import type { DomainRecords } from './provider.ts'
import { domainRecords } from './resolver/resolver.ts'

interface DnsSettings {
  DNS_SERVERS: readonly string[]
}

export function createDomains({ DNS_SERVERS: servers }: DnsSettings): DomainRecords {
  return domainRecords(servers)
}
