import { Resolver } from 'node:dns/promises'
import type { DomainRecords } from '../provider.ts'

const TRY_MS = 2_000
const TRIES = 2
/** That there is no such name, or none of its records is of the kind. Everything else is no answer. */
const NONE = ['ENOTFOUND', 'ENODATA']

/** Asks these name servers, or those of the system when there are none. */
export function domainRecords(servers: readonly string[]): DomainRecords {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  // A long text is stored in several parts.
  const texts = async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  const lookUp: DomainRecords['lookUp'] = async (name, kind) => {
    if (kind === 'texts') return orNone(texts(name))
    const [four, six] = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
    const known = [...(four ?? []), ...(six ?? [])]
    // Some name servers refuse questions for IPv6; addresses of the other kind are an answer.
    return known.length > 0 || (four && six) ? known : null
  }
  return { lookUp, texts: async (name) => (await lookUp(name, 'texts')) ?? [] }
}

async function orNone(asked: Promise<string[]>): Promise<string[] | null> {
  return asked.catch((error: NodeJS.ErrnoException) => (NONE.includes(error.code ?? '') ? [] : null))
}
