import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AddressRefusedError } from '../client.ts'
import { type Reach, reachOf } from './address.ts'

/** Rejects or returns an empty list if the name has no addresses. */
export type Resolve = (name: string) => Promise<string[]>

const TRY_MS = 1_000
const TRIES = 2

/** The addresses that one kind of request may go to. */
export interface Policy {
  schemes: readonly ('http:' | 'https:')[]
  /** An example URL for messages. */
  example: string
  /** Whether requests to this machine are allowed, also over http; for development. */
  loopback: boolean
  /** The setting that allows requests to this machine. */
  setting: 'WEBHOOKS_ALLOW_LOOPBACK' | 'OUTSIDE_ALLOW_LOOPBACK'
}

const PORTS_BELOW_1024 = ['', '80', '443']
const FIRST_FREE_PORT = 1024

/** Checks a URL without a DNS lookup. Throws AddressRefusedError. */
export function parseAddress(given: string, policy: Policy): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw refused(notAnAddress(policy))
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user name or a password')
  const name = url.hostname.replace(/\.+$/, '')
  url.hostname = name
  url.hash = ''
  const host = hostOf(url)
  if (name === '') throw refused(notAnAddress(policy))
  const reach = knownReach(host)
  if (reach === 'loopback' && !policy.loopback) throw refused(notHere(policy))
  if (!policy.schemes.includes(url.protocol as 'http:') && !(policy.loopback && reach === 'loopback'))
    throw refused('must start with https://')
  if (Number(url.port) < FIRST_FREE_PORT && !PORTS_BELOW_1024.includes(url.port))
    throw refused('must not have a port below 1024 other than 80 and 443')
  if (reach !== null) requireReach(reach, policy)
  return url
}

/** Throws AddressRefusedError if any of the addresses of a name is not allowed. */
export function requireReachable(addresses: readonly string[], policy: Policy): void {
  for (const address of addresses) requireReach(reachOf(address), policy)
}

/** Removes the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Classifies an IP address or a name of this machine; returns null for a name that has to be resolved. */
function knownReach(host: string): Reach | null {
  if (isIP(host) !== 0) return reachOf(host)
  return isLocalName(host) ? 'loopback' : null
}

function requireReach(reach: Reach, { loopback }: Policy): void {
  if (reach === 'closed' || (reach === 'loopback' && !loopback))
    throw refused('must be a public address, not one in a private network or of this machine')
}

/** The message for a URL that names this machine. Other names get another message, which must not reveal their addresses. */
function notHere({ setting }: Policy): string {
  return `must be a public address, not this machine’s (for development, ${setting}=true allows it)`
}

function notAnAddress({ example }: Policy): string {
  return `must be a URL such as ${example}`
}

function refused(problem: string): AddressRefusedError {
  return new AddressRefusedError(problem)
}

/**
 * Ignores the hosts file, because accounts may not use names of the local network. It uses no thread of Node's pool, so slow name
 * servers do not block disk access.
 */
export function nameResolver(): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}
