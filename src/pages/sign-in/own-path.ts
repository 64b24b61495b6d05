import type { PersonPageParts } from '../parts/page-parts.ts'

export interface SignInPageParts extends PersonPageParts {
  /** The limit on sign-in attempts per minute. It applies to each network, email address and known browser. */
  signInsPerMinute: number
}

/** The page after signing in, by default. */
export const DASHBOARD = '/dashboard'

/** Authorization requests of MCP clients are long, with client, redirect URL and scopes. */
const MAX_PATH_LENGTH = 8_000
const OWN_ORIGIN = 'http://own.invalid'

/** Returns `given` if it is a path on this service, and otherwise the path of the dashboard. */
export function ownPath(given: string | null | undefined): string {
  if (!given || given.length > MAX_PATH_LENGTH || !given.startsWith('/')) return DASHBOARD
  const url = URL.parse(given, OWN_ORIGIN)
  if (url === null || url.origin !== OWN_ORIGIN) return DASHBOARD
  const path = url.pathname + url.search + url.hash
  // Browsers treat a path that starts with two slashes as another host. Removing `.` and `..` can produce such a path.
  return /^\/[/\\]/.test(path) ? DASHBOARD : path
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie)
  return answer
}
