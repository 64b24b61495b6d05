import { isIP } from 'node:net'
import { invalid } from '../../../contract/declarations/errors.ts'
import { AddressRefusedError, type WebClient } from '../../../outside/web/client.ts'

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** The address that a map begins at: a name alone gets https. Throws a 422 for one that nobody may be sent to. */
export function entryOf(given: string, client: WebClient): URL {
  const address = SCHEME.test(given) ? given : `https://${given}`
  try {
    client.checkForm(address)
  } catch (error) {
    throw error instanceof AddressRefusedError ? invalid({ url: [error.message] }) : error
  }
  const entry = new URL(address)
  entry.hash = ''
  const host = entry.hostname.replace(/\.$/, '')
  if (!host.includes('.') && isIP(host.replace(/^\[|\]$/g, '')) === 0 && host !== 'localhost')
    throw invalid({ url: ['must name a public host, such as example.com'] })
  return entry
}
