import { getDomain } from 'tldts'

/** Whether a URL is of the same site as another: the domain that somebody registered, with all its hosts. */
export function isSameSite(one: URL, other: URL): boolean {
  return siteOf(one) === siteOf(other)
}

/** `blog.example.co.uk` is of `example.co.uk`; a numeric address, or a name of this machine, is a site by itself. */
function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
}
