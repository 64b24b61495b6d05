import { networkOf } from '../../access/network.ts'
import type { RatePolicy, TakeTurn } from '../../pipeline/rate-limit.ts'
import type { PersonPageParts } from '../parts/page-parts.ts'

/** Limits sign-in attempts by network and email address. A known browser has its own limit, so that strangers cannot lock out the user. */
export class AttemptLimit {
  readonly #take: TakeTurn
  readonly #policy: RatePolicy

  /** `name` separates the count from that of other pages. */
  constructor(name: string, { takeTurn, signInsPerMinute }: Pick<SignInPageParts, 'takeTurn' | 'signInsPerMinute'>) {
    this.#take = takeTurn
    this.#policy = { name, perMinute: signInsPerMinute, burst: signInsPerMinute }
  }

  /** Returns the seconds that a client has to wait before its next attempt, or 0. */
  ofClient(client: string): Promise<number> {
    return this.#take(`client ${networkOf(client)}`, this.#policy)
  }

  /** Returns the seconds to wait, or 0. `browser` is the id of a browser that has signed in with the normalized address before, or null. */
  async ofAddress(client: string, email: string, browser: string | null): Promise<number> {
    if (browser !== null) return this.#take(`browser ${browser}`, this.#policy)
    const ofClient = await this.ofClient(client)
    return ofClient > 0 ? ofClient : this.#take(`email ${email}`, this.#policy)
  }
}

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
