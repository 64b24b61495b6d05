import type { Kysely } from 'kysely'
import { newId } from '../../contract/values/ids.ts'
import type { Scope } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/unique.ts'
import type { Vault } from '../../records/services.ts'
import { UNNAMED_OWNER } from '../../resources/company/account/life/first.ts'
import { mailAddressLink, mailAddressNews } from '../../resources/company/user/address_link.ts'
import { endLinks } from '../../resources/company/user/forget.ts'
import { storedLink } from '../../resources/company/user/password_link.ts'
import type { Tables } from '../../resources/tables.ts'
import { ADDRESS_LINK_MS } from './limits.ts'
import { queueLetter } from './mail.ts'

type Db = Kysely<Tables>

/** An address that a person has asked for and not proven yet. */
export interface AskedAddress {
  userId: string
  email: string
}

/** `gone`: the link can no longer be used. `taken`: somebody else signs in with the address. */
export type Confirmation = 'confirmed' | 'gone' | 'taken'

/** The e-mail addresses of people: each counts once a link was used that was mailed there. */
export class Addresses {
  readonly #database: Scope<Tables>
  readonly #vault: Vault
  readonly #wakeWorker: () => void

  constructor(database: Scope<Tables>, vault: Vault, wakeWorker: () => void) {
    this.#database = database
    this.#vault = vault
    this.#wakeWorker = wakeWorker
  }

  /** Mails a link to an address that a person wants, or has and has not proven. An earlier wish of the person ends. */
  async ask(userId: string, email: string): Promise<void> {
    await this.#database.transaction(({ db }) => askForAddress(db, userId, email))
    this.#wakeWorker()
  }

  /** The address that a person has asked for, or null. */
  async asked(userId: string): Promise<string | null> {
    const found = await openChanges(this.#database.read).where('user_id', '=', userId).executeTakeFirst()
    return found?.email ?? null
  }

  /** Ends the wish of a person for another address, and its link. */
  async cancel(userId: string): Promise<void> {
    await this.#database.transaction(({ db }) =>
      db.deleteFrom('address_changes').where('user_id', '=', userId).execute(),
    )
  }

  /** Whom a link is for, and which address it proves; null when it is wrong, used or too old. */
  async ofLink(token: string): Promise<AskedAddress | null> {
    const hash = storedLink(this.#vault, 'address', token)
    if (hash === null) return null
    const found = await openChanges(this.#database.read).where('token_hash', '=', hash).executeTakeFirst()
    return found ? { userId: found.user_id, email: found.email } : null
  }

  /** Gives the person the address that the link proves. Every other link of the person ends. */
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

/** `taken` where somebody else has the address. */
export async function unlessTaken<Result>(change: () => Promise<Result>): Promise<Result | 'taken'> {
  try {
    return await change()
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}

/** Keeps the wish and enqueues its letters: a link for the address, and where it is another, a word to the present one. */
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
  await tellPresent(db, userId, { email, made: false })
}

/** Gives a person an address that is proven, and tells the earlier one. A unique violation where somebody else has it. */
export async function giveAddress(db: Db, userId: string, email: string): Promise<void> {
  await endLinks(db, userId)
  await tellPresent(db, userId, { email, made: true })
  const changed = { email, email_verified: 1, updated_at: new Date().toISOString() }
  await db.updateTable('users').set(changed).where('id', '=', userId).execute()
}

/** The address that the service made up for its first owner is nobody's to be told. */
async function tellPresent(db: Db, userId: string, news: { email: string; made: boolean }): Promise<void> {
  const { email: to } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  if (to === news.email || to === UNNAMED_OWNER.email) return
  await queueLetter(db, userId, { job: mailAddressNews, payload: { to, ...news } })
}
