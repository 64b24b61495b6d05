import { createHash } from 'node:crypto'
import type { NetworkParts } from '../../src/features/social/providers/network.ts'
import type { WebClient } from '../../src/providers/web/client.ts'

/** Returns the dependencies of a network adapter, without name servers and settings. */
export function networkParts(web: WebClient, more: Partial<NetworkParts> = {}): NetworkParts {
  return {
    web,
    settings: {},
    domains: { texts: async () => [] },
    secretOf: (purpose) => createHash('sha256').update(purpose).digest(),
    addressOf: (address) => address,
    ...more,
  }
}
