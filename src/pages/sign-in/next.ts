/** Where people go who have signed in and asked for nothing else. */
export const DASHBOARD = '/dashboard'

/** Requests of programs that want to be let in are long: they name themselves, their address and what they want. */
const MAX_LENGTH = 8_000
const OWN = 'http://own.invalid'

/** The path that somebody is to be led to: one of our own, or the dashboard when `given` leads anywhere else. */
export function ownPath(given: string | null | undefined): string {
  if (!given || given.length > MAX_LENGTH || !given.startsWith('/')) return DASHBOARD
  const url = URL.parse(given, OWN)
  if (url === null || url.origin !== OWN) return DASHBOARD
  const path = url.pathname + url.search + url.hash
  // What browsers would take for the name of another host may appear only once the dots of a path are gone.
  return /^\/[/\\]/.test(path) ? DASHBOARD : path
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie)
  return answer
}
