import type { Database } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import type { Vault } from '../../records/services.ts'
import type { Tables } from '../../resources/tables.ts'
import { type AccountOfPerson, accountsOf } from './accounts-of.ts'
import type { Authentication, AuthenticationParts } from './authentication.ts'
import { hashOfSecret } from './hash.ts'
import { LINK_SECONDS } from './limits.ts'
import { holderOfLink, type LinkHolder, makePasswordLink, passwordUrl } from './links.ts'
import { type CookieOptions, cookieOptionsOf, endedCookie, type HeaderOf, sessionTokenIn } from './session-cookie.ts'
import { Sessions, type SignedIn } from './sessions.ts'

export type { AccountOfPerson } from './accounts-of.ts'
export type { LinkHolder } from './links.ts'
export type { HeaderOf } from './session-cookie.ts'
export type { SessionSummary, SignedIn } from './sessions.ts'

export interface PeopleParts {
  database: Database<Tables>
  vault: Vault
  /** Without a slash at its end. */
  publicUrl: string
  /** Has the worker look for jobs. */
  wakeWorker(): void
  log: AuthenticationParts['log']
}

/** The client that a request comes from. */
export interface Client {
  header: HeaderOf
  address: string
}

/** `Set-Cookie` headers, one an entry. */
export type Cookies = string[]

/** The people of the service: how they sign in, and who is signed in. */
export class People {
  readonly sessions: Sessions
  readonly #parts: PeopleParts
  readonly #cookie: CookieOptions
  #authentication: Promise<Authentication> | undefined

  constructor(parts: PeopleParts) {
    this.#parts = parts
    this.#cookie = cookieOptionsOf(parts.publicUrl)
    this.sessions = new Sessions(parts.database)
  }

  /** Who sends a request, or null when nobody is signed in there. One indexed query. */
  async personOf(header: HeaderOf): Promise<SignedIn | null> {
    const token = sessionTokenIn(header, this.#cookie)
    return token === null ? null : this.sessions.find(this.#hash(token))
  }

  /** Signs in with a password: the cookies of a new session, or null when address or password is wrong. */
  async signIn(client: Client, email: string, password: string): Promise<Cookies | null> {
    const { api } = await this.authentication()
    const body = { email, password, rememberMe: true }
    const answer = await refusedAsNull(() =>
      api.signInEmail({ body, headers: this.headersOf(client), returnHeaders: true }),
    )
    if (answer === null) return null
    await this.#endEarlier(client)
    return answer.headers.getSetCookie()
  }

  /** Ends the session of a request and gives the cookies that make the browser forget it. */
  async signOut({ header }: Pick<Client, 'header'>): Promise<Cookies> {
    await this.#endEarlier({ header })
    return [endedCookie(this.#cookie)]
  }

  /** An address at which a person sets a password once, for a week. */
  async makePasswordUrl(userId: string): Promise<string> {
    const { database, vault, publicUrl } = this.#parts
    return passwordUrl(publicUrl, await makePasswordLink(database, vault, { userId, seconds: LINK_SECONDS }))
  }

  /** The person whose link it is, or null when it is wrong, used or too old. */
  holderOfLink(token: string): Promise<LinkHolder | null> {
    return holderOfLink(this.#parts.database, this.#parts.vault, token)
  }

  /** Sets the password of whoever has the link, which can be used no more, and ends all sessions. False when it is no longer good. */
  async setPassword(token: string, newPassword: string): Promise<boolean> {
    const { api } = await this.authentication()
    return (await refusedAsNull(() => api.resetPassword({ body: { token, newPassword } }))) !== null
  }

  /** Changes how a person is called and reached. False when somebody else has the address. */
  async changeDetails(userId: string, { name, email }: { name: string; email: string }): Promise<boolean> {
    const changed = { name, email, updated_at: new Date().toISOString() }
    try {
      await this.#parts.database.transaction(({ db }) =>
        db.updateTable('users').set(changed).where('id', '=', userId).execute(),
      )
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /** The accounts that a person belongs to, oldest first. */
  accountsOf(userId: string): Promise<AccountOfPerson[]> {
    return accountsOf(this.#parts.database, userId)
  }

  /** The library, loaded on first use. */
  authentication(): Promise<Authentication> {
    this.#authentication ??= this.#load()
    return this.#authentication
  }

  /** The headers of a request as the library may see them. */
  headersOf({ header, address }: Client): Headers {
    const headers = new Headers({ 'x-shopwright-client': address })
    for (const name of ['cookie', 'user-agent']) {
      const value = header(name)
      if (value !== null) headers.set(name, value.slice(0, MAX_HEADER))
    }
    return headers
  }

  async #load(): Promise<Authentication> {
    const { authenticationOf } = await import('./authentication.ts')
    return authenticationOf({ ...this.#parts, cookie: this.#cookie })
  }

  /** A browser that signs in again, or out, leaves its earlier session. */
  async #endEarlier({ header }: Pick<Client, 'header'>): Promise<void> {
    const token = sessionTokenIn(header, this.#cookie)
    if (token !== null) await this.sessions.endOfToken(this.#hash(token))
  }

  #hash = (secret: string): string => hashOfSecret(this.#parts.vault, secret)
}

const MAX_HEADER = 4096

/** What the library answers; null when it refuses what was sent. */
async function refusedAsNull<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    const status = (error as { statusCode?: unknown }).statusCode
    if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) return null
    throw error
  }
}
