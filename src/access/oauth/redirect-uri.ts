export const MAX_REDIRECT_URI = 2_000

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** URL schemes that a browser handles itself, so that they cannot open a client program. */
const BROWSER_SCHEMES = new Set(
  'about blob chrome data feed file filesystem ftp intent jar javascript livescript mailto ms-appx sms tel vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)

/** Returns the reason why a redirect URL is invalid, or null if it is valid. */
export function redirectProblem(given: string): string | null {
  if (given.length > MAX_REDIRECT_URI) return `has more than ${MAX_REDIRECT_URI} characters`
  // Rejects line breaks and tabs, because the URL parser and browsers remove them.
  if (!/^[!-~]+$/.test(given) || !URL.canParse(given)) return 'is not an absolute address'
  const url = new URL(given)
  if (given.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '') return 'has a user name or a password'
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:') return isLoopback(url) ? null : 'uses http for a host other than this computer'
  if (BROWSER_SCHEMES.has(url.protocol)) return `must not use the scheme ${url.protocol}`
  // A private-use scheme opens a client program (RFC 8252, section 7.1).
  return /^[a-z][a-z0-9+.-]+:\/\/?[^/]/i.test(given) ? null : 'is neither a web page nor a program’s address'
}

/** Returns whether two redirect URLs are identical, except that a loopback URL may have any port (RFC 8252, section 7.3). */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true
  if (redirectProblem(registered) !== null || redirectProblem(given) !== null) return false
  const [one, other] = [new URL(registered), new URL(given)]
  if (one.protocol !== 'http:' || !isLoopback(one)) return false
  one.port = ''
  other.port = ''
  return one.href === other.href
}

/** The target of a redirect in words: a host, this computer, or a program. */
export interface Destination {
  kind: 'site' | 'computer' | 'program'
  name: string
  /** The source that the consent page's content security policy must allow, because browsers check where its form redirects. */
  policySource: string
}

export function destinationOf(redirectUri: string): Destination {
  const url = new URL(redirectUri)
  if (url.protocol === 'https:') return { kind: 'site', name: url.host, policySource: url.origin }
  // Content security policies cannot contain IPv6 addresses.
  if (url.protocol === 'http:')
    return { kind: 'computer', name: url.host, policySource: url.host.startsWith('[') ? 'http:' : url.origin }
  return { kind: 'program', name: url.protocol.slice(0, -1), policySource: url.protocol }
}

function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.includes(hostname)
}
