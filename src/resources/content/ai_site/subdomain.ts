import { randomBytes } from 'node:crypto'
import { invalid } from '../../../contract/declarations/errors.ts'
import { isReserved, RESERVED_PROBLEM } from '../../../contract/values/reserved-names.ts'
import type { Context } from '../../../records/context.ts'
import { kebabCase } from '../../../records/slugs.ts'
import { isTaken, requireUnique } from '../../../records/unique.ts'
import { AiSite } from './ai_site.ts'

const MAX_BASE = 50
/** Numbers that are tried before a random ending. */
const TRIES = 9

/** No other site may have the subdomain, in any account, and none has a name of the service. Throws a 422. */
export async function requireFreeSubdomain(context: Context, subdomain: string, except?: string): Promise<void> {
  if (isReserved(subdomain)) throw invalid({ subdomain: [RESERVED_PROBLEM] })
  return requireUnique(context, AiSite, ['subdomain', subdomain], 'subdomain', { except, everywhere: true })
}

/** A free subdomain made from a name: the name itself, then with a number, then with a random ending. */
export async function freeSubdomain(context: Context, name: string): Promise<string> {
  const words = kebabCase(name).slice(0, MAX_BASE).replace(/-$/, '')
  const base = words.length < 3 ? `${words}-site`.replace(/^-/, '') : words
  for (let number = 0; number <= TRIES; number++) {
    const subdomain = number === 0 ? base : `${base}-${number}`
    if (isReserved(subdomain)) continue
    if (!(await isTaken(context, AiSite, ['subdomain', subdomain], { everywhere: true }))) return subdomain
  }
  return `${base}-${randomBytes(4).toString('hex')}`
}
