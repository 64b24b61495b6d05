import { Resolver } from 'node:dns/promises'
import type { DomainRecords } from '../provider.ts'

const TRY_MS = 2_000
const TRIES = 2

/** Asks these name servers, or those of the system when there are none. */
export function domainRecords(servers: readonly string[]): DomainRecords {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async texts(name) {
      const records = await resolver.resolveTxt(name).catch(() => [])
      // A long text is stored in several parts.
      return records.map((parts) => parts.join(''))
    },
  }
}
