import { newId } from '../../contract/values/ids.ts'
import { timestampOf } from '../../contract/values/values.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import { insertJob } from '../../records/enqueue.ts'
import type { JobType } from '../../records/job.ts'
import type { Vault } from '../../records/services.ts'
import { UNNAMED_OWNER } from '../../resources/company/account/life/open.ts'
import { mailAddressLink, mailAddressNews } from '../../resources/company/user/address-link.ts'
import { endLinks } from '../../resources/company/user/forget.ts'
import { mailPasswordLink, storedLink } from '../../resources/company/user/password-link.ts'
import type { Db, ShopDatabase, ShopScope } from '../../resources/tables.ts'
import { ADDRESS_LINK_MS } from './limits.ts'

type ReadScope = Pick<ShopScope, 'read'>

export interface LinkHolder {
  userId: string
  name: string
  email: string
  hasPassword: boolean
  /** Whether the link was emailed to the person's address, so that its use confirms the address. */
  mailed: boolean
  /** Whether the person's address is a placeholder, so that the person may choose an address together with the password. */
  choosesAddress: boolean
}

/** Returns the person that a password link belongs to, or null if the link is wrong, used or expired. */
export async function holderOfLink({ read }: ReadScope, vault: Vault, token: string): Promise<LinkHolder | null> {
  const identifier = storedLink(vault, 'reset-password', token)
  if (identifier === null) return null
  const found = await read
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .select(['users.id as userId', 'users.name', 'users.email', 'mailed_to'])
    .where('identifier', '=', identifier)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
  if (!found || (found.mailed_to !== null && found.mailed_to !== found.email)) return null
  const { mailed_to, ...person } = found
  return {
    ...person,
    hasPassword: await hasPassword({ read }, person.userId),
    mailed: mailed_to !== null,
    choosesAddress: person.email === UNNAMED_OWNER.email && (await isAlone(read)),
  }
}

/** Returns whether there is only one user. With more users, the response to a chosen address would reveal whether another user has it. */
async function isAlone(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(2).execute()).length === 1
}

export async function hasPassword({ read }: ReadScope, userId: string): Promise<boolean> {
  const methods = read.selectFrom('sign_in_methods').select('id').where('user_id', '=', userId)
  const found = await methods.where('provider_id', '=', 'credential').executeTakeFirst()
  return found !== undefined
}

/** The input of a person with a password link. Name and address apply only if the person has no password yet. */
export interface LinkUse {
  hash: string
  name: string
  email: string
}

/** Makes the password the only way to sign in. Returns the address, or null if the link is no longer valid or the address is taken. */
export async function useLink(
  database: ShopScope,
  { vault, token }: { vault: Vault; token: string },
  { hash, name, email }: LinkUse,
): Promise<string | null> {
  const used = await unlessTaken(() =>
    database.transaction(async ({ db }) => {
      const holder = await holderOfLink({ read: db }, vault, token)
      if (holder === null) return null
      const address = holder.choosesAddress && !holder.hasPassword ? email : holder.email
      await startOver(db, holder.userId, hash)
      await db
        .updateTable('users')
        .set({
          email: address,
          ...(!holder.hasPassword && { name, updated_at: new Date().toISOString() }),
          ...(holder.mailed && address === holder.email && { email_verified: 1 }),
        })
        .where('id', '=', holder.userId)
        .execute()
      if (address !== holder.email) await askForAddress(db, holder.userId, address)
      return address
    }),
  )
  return used === 'taken' ? null : used
}

/** Makes a password the only way to sign in: deletes the person's passkeys, sessions, links and other passwords. `hash` is stored. */
export async function startOver(db: Db, userId: string, hash: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await replacePassword(db, userId, hash)
}

/** Replaces a person's password and deletes the person's sessions and links. */
export async function replacePassword(db: Db, userId: string, hash: string): Promise<void> {
  await endLinks(db, userId)
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('sign_in_methods').where('user_id', '=', userId).execute()
  const now = new Date().toISOString()
  const method = { provider_id: 'credential', provider_account: userId, password_hash: hash }
  const row = { id: newId('signin'), user_id: userId, ...method, created_at: now, updated_at: now }
  await db.insertInto('sign_in_methods').values(row).execute()
}

/** Returns the id of the current password of an address, which changes with each new password; null if there is none. */
export async function passwordOfAddress(db: Db, email: string): Promise<string | null> {
  const found = await db
    .selectFrom('sign_in_methods')
    .innerJoin('users', 'users.id', 'sign_in_methods.user_id')
    .select('sign_in_methods.id')
    .where('users.email', '=', email)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return found?.id ?? null
}

export interface AskedAddress {
  userId: string
  email: string
}

/** The result of a confirmation. `gone`: the link is no longer valid. `taken`: another person signs in with the address. */
export type Confirmation = 'confirmed' | 'gone' | 'taken'

/** The sign-in email addresses of people. A new address takes effect when the person opens the link that was sent to it. */
export class Addresses {
  readonly #database: ShopScope
  readonly #vault: Vault
  readonly #wakeWorker: () => void

  constructor(database: ShopScope, vault: Vault, wakeWorker: () => void) {
    this.#database = database
    this.#vault = vault
    this.#wakeWorker = wakeWorker
  }

  /** Emails a confirmation link to a person's new or unconfirmed address. It replaces the person's earlier request. */
  async ask(userId: string, email: string): Promise<void> {
    await this.#database.transaction(({ db }) => askForAddress(db, userId, email))
    this.#wakeWorker()
  }

  async asked(userId: string): Promise<string | null> {
    const found = await openChanges(this.#database.read).where('user_id', '=', userId).executeTakeFirst()
    return found?.email ?? null
  }

  async cancel(userId: string): Promise<void> {
    await this.#database.transaction(({ db }) =>
      db.deleteFrom('address_changes').where('user_id', '=', userId).execute(),
    )
  }

  /** Returns the person of a confirmation link and the address to confirm; null if the link is wrong, used or expired. */
  async ofLink(token: string): Promise<AskedAddress | null> {
    const hash = storedLink(this.#vault, 'address', token)
    if (hash === null) return null
    const found = await openChanges(this.#database.read).where('token_hash', '=', hash).executeTakeFirst()
    return found ? { userId: found.user_id, email: found.email } : null
  }

  /** Sets the person's address to that of the confirmation link, and deletes all other links of the person. */
  async confirm(token: string, userId: string): Promise<Confirmation> {
    const hash = storedLink(this.#vault, 'address', token)
    const confirmed = await unlessTaken(() =>
      this.#database.transaction(async ({ db }): Promise<Confirmation> => {
        const change = await openChanges(db)
          .where('token_hash', '=', hash)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (!change) return 'gone'
        await giveAddress(db, userId, change.email)
        return 'confirmed'
      }),
    )
    this.#wakeWorker()
    return confirmed
  }
}

function openChanges(db: Db) {
  return db
    .selectFrom('address_changes')
    .select(['user_id', 'email'])
    .where('expires_at', '>', new Date().toISOString())
}

/** Runs a change of an address. Returns `taken` if another person has the address. */
export async function unlessTaken<Result>(change: () => Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await change()
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** Stores the request and enqueues its emails: a link to the new address, and a notification to the current one if that differs. */
async function askForAddress(db: Db, userId: string, email: string): Promise<void> {
  const id = newId('addr')
  const now = Date.now()
  const expires_at = new Date(now + ADDRESS_LINK_MS).toISOString()
  await db.deleteFrom('address_changes').where('user_id', '=', userId).execute()
  await db
    .insertInto('address_changes')
    .values({ user_id: userId, id, email, token_hash: null, expires_at, created_at: new Date(now).toISOString() })
    .execute()
  await queueLetter(db, userId, { job: mailAddressLink, payload: { change: id } })
  await notifyCurrentAddress(db, userId, { email, made: false })
}

/** Sets a confirmed address and notifies the previous one. Throws a unique violation if another person has the address. */
export async function giveAddress(db: Db, userId: string, email: string): Promise<void> {
  await endLinks(db, userId)
  await notifyCurrentAddress(db, userId, { email, made: true })
  const changed = { email, email_verified: 1, updated_at: new Date().toISOString() }
  await db.updateTable('users').set(changed).where('id', '=', userId).execute()
}

/** The first owner's placeholder address belongs to no one, so it gets no email. */
async function notifyCurrentAddress(db: Db, userId: string, news: { email: string; made: boolean }): Promise<void> {
  const { email: to } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  if (to === news.email || to === UNNAMED_OWNER.email) return
  await queueLetter(db, userId, { job: mailAddressNews, payload: { to, ...news } })
}

/** Enqueues an email to a person, as an email of the person's oldest account. Returns false if the person has no account. */
async function queueLetter<Payload>(
  db: Db,
  userId: string,
  { job, payload }: { job: JobType<Payload>; payload: Payload },
): Promise<boolean> {
  const membership = await db
    .selectFrom('memberships')
    .select('account_id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .executeTakeFirst()
  if (!membership) return false
  const now = timestampOf(new Date())
  const place = { db, accountId: membership.account_id, now, realNow: now, test: false }
  await insertJob(place, job, payload, { inRealTime: true })
  return true
}

/** Enqueues an email with a link to set a password. Returns false if no person has the address. */
export async function queuePasswordMail(database: ShopDatabase, email: string): Promise<boolean> {
  const person = await database.read.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (!person) return false
  const letter = { job: mailPasswordLink, payload: { user: person.id } }
  return database.transaction(({ db }) => queueLetter(db, person.id, letter))
}
