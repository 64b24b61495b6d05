import { randomBytes } from 'node:crypto'
import type { HeaderOf } from '../../contract/requests/header-of.ts'
import type { Services, Vault } from '../../records/services.ts'
import { hashOfSecret, makePasswordLink } from '../../resources/company/user/password-link.ts'
import type { ShopDatabase } from '../../resources/tables.ts'
import { type AccountOfPerson, accountsOf } from './accounts-of.ts'
import { Addresses } from './addresses.ts'
import type { Authentication, AuthenticationParts } from './authentication.ts'
import { type Client, headersOf } from './client-headers.ts'
import { invitationOf, type JoinResult, type OpenInvitation, takeInvitation } from './invitations.ts'
import { asLibraryAddress } from './library-address.ts'
import { DEVICE_SECONDS, OPERATOR_LINK_MS } from './limits.ts'
import { hasPassword, holderOfLink, type LinkHolder, passwordOfAddress, replacePassword, useLink } from './passwords.ts'
import { queuePasswordMail } from './queue-letter.ts'
import { refusedAsNull } from './refused-as-null.ts'
import { type CookieOptions, cookieIn, cookieOptionsOf, sessionTokenIn, setCookie } from './session-cookie.ts'
import { Sessions, type SignedIn } from './sessions.ts'

const PURPOSE = 'browsers of people'
/** Matches the value of the device cookie: the browser's id, and a proof that someone has signed in there with a certain password. */
const VALUE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/

export type { AccountOfPerson } from './accounts-of.ts'
export type { AskedAddress } from './addresses.ts'
export type { Client } from './client-headers.ts'
export type { OpenInvitation } from './invitations.ts'
export type { LinkHolder } from './passwords.ts'
export type { SessionSummary, SignedIn } from './sessions.ts'

export interface PeopleParts {
  database: ShopDatabase
  services: Services
  publicUrl: string
  wakeWorker(): void
  log: AuthenticationParts['log']
}

/** Values of `Set-Cookie` headers. */
export type Cookies = string[]

export interface FirstPassword {
  password: string
  name: string
  email: string
}

export interface PasskeySummary {
  id: string
  name: string | null
  created_at: string
  /** Whether the passkey is synced between the person's devices. */
  synced: boolean
}

export class People {
  readonly sessions: Sessions
  readonly passkeys: Passkeys
  readonly addresses: Addresses
  readonly #parts: PeopleParts
  readonly #vault: Vault
  readonly #cookie: CookieOptions
  readonly #deviceCookie: CookieOptions
  #mailing: Promise<unknown> = Promise.resolve()
  #authentication: Promise<Authentication> | undefined

  constructor(parts: PeopleParts) {
    this.#parts = parts
    this.#vault = parts.services.vault
    this.#cookie = cookieOptionsOf(parts.publicUrl, 'shopwright_session')
    this.#deviceCookie = cookieOptionsOf(parts.publicUrl, 'shopwright_browser')
    this.sessions = new Sessions(parts.database)
    this.passkeys = new Passkeys(parts.database)
    this.addresses = new Addresses(parts.database, this.#vault, parts.wakeWorker)
  }

  /** Returns the signed-in person, or null. Takes one indexed query. */
  async personOf(header: HeaderOf): Promise<SignedIn | null> {
    const token = sessionTokenIn(header, this.#cookie)
    return token === null ? null : this.sessions.find(this.#hash(token))
  }

  /** Signs in with a password. Returns the cookies of a new session, or null if the address or password is wrong. */
  async signIn(client: Client, email: string, password: string): Promise<Cookies | null> {
    const { api } = await this.authentication()
    const used = await passwordOfAddress(this.#parts.database.read, email)
    const body = { email: asLibraryAddress(email), password, rememberMe: true }
    const answer = await refusedAsNull(() => api.signInEmail({ body, headers: headersOf(client), returnHeaders: true }))
    if (answer === null || used === null) return null
    await this.endEarlier(client)
    return [...answer.headers.getSetCookie(), deviceCookie(this.#vault, this.#deviceCookie, used)]
  }

  /** Returns the id of the browser if someone has signed in there with the current password of this address; otherwise null. */
  async browserOf(header: HeaderOf, email: string): Promise<string | null> {
    const present = await passwordOfAddress(this.#parts.database.read, email)
    return present === null ? null : deviceIn(header, this.#vault, this.#deviceCookie, present)
  }

  /** Ends the session of a request. Returns cookies that delete the session in the browser. */
  async signOut({ header }: Pick<Client, 'header'>): Promise<Cookies> {
    await this.endEarlier({ header })
    return [setCookie(this.#cookie, '', 0)]
  }

  makePasswordUrl(userId: string): Promise<string> {
    const { database, publicUrl } = this.#parts
    return database.transaction(({ db }) =>
      makePasswordLink({ db, vault: this.#vault, publicUrl }, { userId, lifeMs: OPERATOR_LINK_MS, mailedTo: null }),
    )
  }

  /** Emails a password link if a person has the address. The caller does not wait, so that timing reveals nothing about the address. */
  mailPasswordLink(email: string): void {
    const mailed = queuePasswordMail(this.#parts.database, email).then((queued) => {
      if (queued) this.#parts.wakeWorker()
    })
    mailed.catch((error: unknown) => this.#parts.log.error({ err: error }, 'A link for a password could not be mailed'))
    this.#mailing = Promise.allSettled([this.#mailing, mailed])
  }

  /** Returns the person that a password link belongs to, or null if the link is wrong, used or expired. */
  holderOfLink(token: string): Promise<LinkHolder | null> {
    return holderOfLink(this.#parts.database, this.#vault, token)
  }

  /** Deletes all other ways to sign in and all links. Returns the address to sign in with, or null if the link is no longer valid. */
  async setPassword(token: string, { password, name, email }: FirstPassword): Promise<string | null> {
    if ((await this.holderOfLink(token)) === null) return null
    const hash = await this.#hashOfPassword(password)
    const address = await useLink(this.#parts.database, { vault: this.#vault, token }, { hash, name, email })
    this.#parts.wakeWorker()
    return address
  }

  async isPasswordOf(client: Client, password: string): Promise<boolean> {
    const { api } = await this.authentication()
    const headers = headersOf(client)
    return (await refusedAsNull(() => api.verifyPassword({ body: { password }, headers }))) !== null
  }

  /** Replaces the signed-in person's password and deletes the person's sessions and links. Returns the cookies of a new session. */
  async changePassword(
    client: Client,
    { userId, email }: Pick<SignedIn, 'userId' | 'email'>,
    password: string,
  ): Promise<Cookies> {
    const hash = await this.#hashOfPassword(password)
    await this.#parts.database.transaction(({ db }) => replacePassword(db, userId, hash))
    return (await this.signIn(client, email, password)) ?? []
  }

  hasPassword(userId: string): Promise<boolean> {
    return hasPassword(this.#parts.database, userId)
  }

  invitationOf(secret: string): Promise<OpenInvitation | null> {
    return invitationOf(this.#parts, secret)
  }

  /** Adds a person who is signed in with the invitation's address to the account. */
  joinAs(invitation: OpenInvitation, { userId }: Pick<SignedIn, 'userId'>): Promise<JoinResult> {
    return takeInvitation(this.#parts.database, invitation, { userId })
  }

  /** Adds the person who has the invitation's link to the account, with a name and a password. */
  async joinByLink(
    invitation: OpenInvitation,
    { name, password }: Pick<FirstPassword, 'name' | 'password'>,
  ): Promise<JoinResult> {
    const hash = await this.#hashOfPassword(password)
    return takeInvitation(this.#parts.database, invitation, { name, hash })
  }

  /** Resolves when all background writes have ended. */
  async settled(): Promise<void> {
    await Promise.all([this.sessions.settled(), this.#mailing])
  }

  async rename(userId: string, name: string): Promise<void> {
    const changed = { name, updated_at: new Date().toISOString() }
    await this.#parts.database.transaction(({ db }) =>
      db.updateTable('users').set(changed).where('id', '=', userId).execute(),
    )
  }

  accountsOf(userId: string): Promise<AccountOfPerson[]> {
    return accountsOf(this.#parts.database, userId)
  }

  authentication(): Promise<Authentication> {
    this.#authentication ??= this.#load()
    return this.#authentication
  }

  async #load(): Promise<Authentication> {
    const { authenticationOf } = await import('./authentication.ts')
    return authenticationOf({ ...this.#parts, vault: this.#vault, cookie: this.#cookie })
  }

  /** Ends the previous session of a browser in which someone signs in again or signs out. */
  async endEarlier({ header }: Pick<Client, 'header'>): Promise<void> {
    const token = sessionTokenIn(header, this.#cookie)
    if (token !== null) await this.sessions.endOfToken(this.#hash(token))
  }

  async #hashOfPassword(password: string): Promise<string> {
    const { $context } = await this.authentication()
    return (await $context).password.hash(password)
  }

  #hash = (secret: string): string => hashOfSecret(this.#vault, secret)
}

/** The cookie identifies the browser, but gives no access and names no one. A new password makes it invalid. */
function deviceCookie(vault: Vault, cookie: CookieOptions, password: string): string {
  const id = randomBytes(16).toString('base64url')
  return setCookie(cookie, `${id}.${vault.derive(PURPOSE, `${id} ${password}`)}`, DEVICE_SECONDS)
}

/** Returns the id of the browser if someone has signed in there with the current password, or null. */
function deviceIn(header: HeaderOf, vault: Vault, { name }: CookieOptions, password: string): string | null {
  const [, id, proof] = VALUE.exec(cookieIn(header, name) ?? '') ?? []
  if (id === undefined || proof === undefined) return null
  return vault.matches(PURPOSE, `${id} ${password}`, proof) ? id : null
}

/** Lists and edits existing passkeys. The sign-in library creates them and checks them at the sign-in. */
class Passkeys {
  readonly #database: ShopDatabase

  constructor(database: ShopDatabase) {
    this.#database = database
  }

  async list(userId: string): Promise<PasskeySummary[]> {
    const rows = await this.#database.read
      .selectFrom('passkeys')
      .select(['id', 'name', 'created_at', 'backed_up'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute()
    return rows.map(({ backed_up, ...row }) => ({ ...row, synced: backed_up === 1 }))
  }

  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database.transaction(({ db }) =>
      db
        .updateTable('passkeys')
        .set({ name })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    return numUpdatedRows > 0n
  }

  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.transaction(({ db }) =>
      db.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  }
}
