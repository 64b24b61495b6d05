import { randomBytes } from 'node:crypto'
import { newId } from '../../../contract/values/ids.ts'
import { job } from '../../../records/job.ts'
import type { Vault } from '../../../records/services.ts'
import type { Db } from '../../tables.ts'
import { addressOf } from './current.ts'
import { type PersonalLetter, sendLetter } from './personal-mail.ts'

type KeyDeriver = Pick<Vault, 'derive'>

const MAILED_MS = 60 * 60 * 1000

/** Returns the keyed hash that is stored in place of a secret. */
export function hashOfSecret(vault: KeyDeriver, secret: string): string {
  return vault.derive('people', secret)
}

export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The format of tokens. Malformed ones are rejected without a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns the hash under which a link is stored, or null when the token is malformed. */
export function storedLink(vault: KeyDeriver, purpose: 'reset-password' | 'address', token: string): string | null {
  return TOKEN.test(token) ? hashOfSecret(vault, `${purpose}:${token}`) : null
}

interface LinkOptions {
  userId: string
  lifeMs: number
  /** Using the link confirms this address. Null when the operator passes on the link. */
  mailedTo: string | null
}

/** Creates a one-time link that sets a password without the current one, and returns its URL. */
export async function makePasswordLink(
  { db, vault, publicUrl }: { db: Db; vault: KeyDeriver; publicUrl: string },
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

/** E-mails a link to set a new password. Each attempt creates a new link, because a job must not store a secret. */
export const mailPasswordLink = job<{ user: string }>('user.mail_password_link', {
  attempts: 5,
  async work(job, { user: id }) {
    const letter = await job.transaction(async ({ db, services, publicUrl }): Promise<PersonalLetter | null> => {
      const to = await addressOf({ db }, id)
      if (to === undefined) return null
      const options = { userId: id, lifeMs: MAILED_MS, mailedTo: to }
      const url = await makePasswordLink({ db, vault: services.vault, publicUrl }, options)
      return {
        kind: 'password',
        to,
        heading: 'Set a new password',
        words: `We received a request to set a new password for ${to}.`,
        link: { label: 'Set a new password', url },
        after:
          'The link works once, for an hour. It also signs you out everywhere and deletes your passkeys. If you did not request this, ignore this message; nothing will change.',
      }
    })
    if (letter) await sendLetter(job, letter)
    await job.finish(async () => {})
  },
})
