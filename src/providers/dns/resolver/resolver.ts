import { Resolver } from 'node:dns/promises'
import type { DomainRecords } from '../provider.ts'

const TRY_MS = 2_000
const TRIES = 2
/** The error codes for a missing name or record type. Every other error means that DNS did not respond. */
const NONE = ['ENOTFOUND', 'ENODATA']

/** Queries the given name servers, or the system's if the list is empty. */
export function domainRecords(servers: readonly string[]): DomainRecords {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  // DNS splits a long text into several parts.
  const texts = async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  const lookUp: DomainRecords['lookUp'] = async (name, kind) => {
    if (kind === 'texts') return orNone(texts(name))
    const [four, six] = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
    const known = [...(four ?? []), ...(six ?? [])]
    // Some name servers refuse IPv6 queries, so addresses of one kind are enough.
    return known.length > 0 || (four && six) ? known : null
  }
  return { lookUp, texts: async (name) => (await lookUp(name, 'texts')) ?? [] }
}

async function orNone(asked: Promise<string[]>): Promise<string[] | null> {
  return asked.catch((error: NodeJS.ErrnoException) => (NONE.includes(error.code ?? '') ? [] : null))
}
