import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { newId } from '../../../contract/values/ids.ts'
import { job } from '../../../records/job.ts'
import type { Vault } from '../../../records/services.ts'
import type { Tables } from '../../tables.ts'
import { addressOf } from './current.ts'
import { type PersonalLetter, sendLetter } from './personal_mail.ts'

type Keys = Pick<Vault, 'derive'>

/** How long the link of a mail can be used that somebody has asked for. */
const MAILED_MS = 60 * 60 * 1000

/** What is stored of a secret that a browser or a link holds: a keyed hash. */
export function hashOfSecret(vault: Keys, secret: string): string {
  return vault.derive('people', secret)
}

/** The token of a new link. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What every token of a link looks like; nothing else is worth a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** What is stored of the token of a link, or null when it is no token. */
export function storedLink(vault: Keys, purpose: 'reset-password' | 'address', token: string): string | null {
  return TOKEN.test(token) ? hashOfSecret(vault, `${purpose}:${token}`) : null
}

interface LinkOptions {
  userId: string
  lifeMs: number
  /** The address it is mailed to, which using it proves; null where an operator hands it over. */
  mailedTo: string | null
}

/** Makes a link by which a person sets a password once, without the earlier one, and gives its address. */
export async function makePasswordLink(
  { db, vault, publicUrl }: { db: Kysely<Tables>; vault: Keys; publicUrl: string },
  { userId, lifeMs, mailedTo }: LinkOptions,
): Promise<string> {
  const token = newLinkToken()
  const now = Date.now()
  const created = new Date(now).toISOString()
  const link = {
    id: newId('verif'),
    identifier: storedLink(vault, 'reset-password', token)!,
    value: userId,
    mailed_to: mailedTo,
    expires_at: new Date(now + lifeMs).toISOString(),
    created_at: created,
    updated_at: created,
  }
  await db.insertInto('verifications').values(link).execute()
  return `${publicUrl}/set-password/${token}`
}

/** Mails a person who has forgotten the password a link to set another. Each attempt makes its own, so no job holds a secret. */
export const mailPasswordLink = job<{ user: string }>('user.mail_password_link', {
  attempts: 5,
  async work(place, { user: id }) {
    const letter = await place.transaction(async ({ db, services, publicUrl }): Promise<PersonalLetter | null> => {
      const to = await addressOf({ db }, id)
      if (to === undefined) return null
      const options = { userId: id, lifeMs: MAILED_MS, mailedTo: to }
      const url = await makePasswordLink({ db, vault: services.vault, publicUrl }, options)
      return {
        kind: 'password',
        to,
        subject: 'Set a new password',
        heading: 'Set a new password',
        words: `We received a request to set a new password for ${to}.`,
        link: { label: 'Set a new password', url },
        after:
          'The link works once, for an hour. It also signs you out everywhere and deletes your passkeys. If you did not request this, ignore this message; nothing will change.',
      }
    })
    if (letter) await sendLetter(place, letter)
    await place.finish(async () => {})
  },
})
