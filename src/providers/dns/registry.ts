import type { DomainRecords } from './provider.ts'
import { domainRecords } from './resolver/resolver.ts'

export function createDomains({ DNS_SERVERS: servers }: { DNS_SERVERS: readonly string[] }): DomainRecords {
  return domainRecords(servers)
}
