import { createRequire } from 'node:module'
import type { getDomain } from 'tldts'

const require = createRequire(import.meta.url)
/** The list of all public suffixes is large: it is loaded with the first map. */
let find: typeof getDomain | undefined

/** Whether a URL is of the same site as another: the domain that somebody registered, with all its hosts. */
export function isSameSite(one: URL, other: URL): boolean {
  return siteOf(one) === siteOf(other)
}

/** `blog.example.co.uk` is of `example.co.uk`; a numeric address, or a name of this machine, is a site by itself. */
function siteOf({ hostname }: URL): string {
  find ??= (require('tldts') as { getDomain: typeof getDomain }).getDomain
  return find(hostname, { allowPrivateDomains: true }) ?? hostname
}
