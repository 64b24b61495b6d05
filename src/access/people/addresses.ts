import { newId } from '../../contract/values/ids.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import type { Vault } from '../../records/services.ts'
import { UNNAMED_OWNER } from '../../resources/company/account/life/open.ts'
import { mailAddressLink, mailAddressNews } from '../../resources/company/user/address-link.ts'
import { endLinks } from '../../resources/company/user/forget.ts'
import { storedLink } from '../../resources/company/user/password-link.ts'
import type { Db, ShopScope } from '../../resources/tables.ts'
import { ADDRESS_LINK_MS } from './limits.ts'
import { queueLetter } from './queue-letter.ts'

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
export async function askForAddress(db: Db, userId: string, email: string): Promise<void> {
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
