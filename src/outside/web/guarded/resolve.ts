import { Resolver } from 'node:dns/promises'
import { isLocalName } from './policy.ts'

/** Finds the addresses of a name. Rejects, or gives none, when there are none. */
export type Resolve = (name: string) => Promise<string[]>

const TRY_MS = 1_000
const TRIES = 2

/**
 * Asks the name servers of this machine, without its file of hosts: names of this machine's own network are none that
 * accounts may use. It takes no thread of Node's pool, so that slow name servers keep nobody from the disk.
 */
export function nameResolver(): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}
