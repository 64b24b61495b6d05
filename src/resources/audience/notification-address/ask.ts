import type { Row } from '../../../contract/declarations/noun.ts'
import { inOnePiece, laterBy } from '../../../contract/values/values.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findNamed, findRow, insertUnlessTaken } from '../../../records/records.ts'
import { deleteRowsOf, rowsOf } from '../../../records/rows-of.ts'
import { queueAddressConfirmation } from '../../messages/email/service-mail.ts'
import { idOfSecret, secretOf } from '../../sales/secret.ts'
import { Form, type FormRow } from '../form/form.ts'
import { NotificationAddress } from './notification-address.ts'

/** The lifetime of a confirmation link. Until it expires, the address receives no other link, even for other forms. */
const LINK_LIFE_MS = 7 * 24 * 60 * 60 * 1000

export const askNotified = dueJob<{ form: string }>('form.ask_notified', {
  emits: ['email.created'],
  async foresee(context, forms) {
    const named = await findNamed(context, Form, 'form', forms)
    const addresses = [...new Set([...named.values()].flatMap((form) => form.notification_emails))]
    const consent = await consentOf(context, addresses)
    const asked = withoutConsent(addresses, consent).filter((address) => !consent.asked.has(address))
    return asked.map((to) => ({ kind: 'email', to }))
  },
  async work(context, { form: id }) {
    const form = await findRow(context, Form, id)
    if (form) await askFor(context, form, await consentOf(context, form.notification_emails))
  },
})

/** Mails a link to each address whose owner has not agreed and that has no valid link yet. */
export async function askFor(context: Context, form: FormRow, consent: Consent): Promise<void> {
  for (const address of withoutConsent(form.notification_emails, consent)) {
    if (consent.asked.has(address)) continue
    await forgetExpired(context, address)
    const values = { address, confirmed_at: null, expires_at: laterBy(context.realNow, LINK_LIFE_MS) }
    const made = await insertUnlessTaken(context, NotificationAddress, values, 'address')
    if (!made) continue
    const data = { form: form.name, confirmUrl: agreementUrl(context, made.id) }
    await queueAddressConfirmation(context, { to: address, customer: null }, data)
  }
}

async function forgetExpired(context: Context, address: string): Promise<void> {
  await deleteRowsOf(context, 'notification_addresses')
    .where('address', '=', address)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '<=', context.realNow)
    .execute()
}

/** Records the consent of an address's owner for all forms of the account. Has no effect if the link has expired. */
export async function agreeToNotifications(context: Context, row: Row<typeof NotificationAddress>): Promise<void> {
  if (isOpen(context, row))
    await changeRow(context, NotificationAddress, row, { confirmed_at: context.realNow, expires_at: null })
}

/** Returns whether the address's link is valid: neither used nor expired. */
export function isOpen(
  { realNow }: Pick<Context, 'realNow'>,
  { expires_at }: Row<typeof NotificationAddress>,
): boolean {
  return expires_at !== null && expires_at > realNow
}

/** Returns the secret URL with which the owner of an address agrees to notifications. */
export function agreementUrl(context: Pick<Context, 'publicUrl' | 'services'>, id: string): string {
  return inOnePiece(context.publicUrl, '/forms/addresses/', secretOf(context, NotificationAddress, id))
}

/** Returns the id of the address that a secret belongs to, or null if the secret is wrong. */
export function addressIdOf(context: VaultContext, secret: string): string | null {
  return idOfSecret(context, NotificationAddress, secret)
}

interface Consent {
  /** Addresses that were confirmed, or that belong to members of the account who have verified them. */
  agreed: ReadonlySet<string>
  /** Addresses with a link that is still valid. */
  asked: ReadonlySet<string>
}

export async function consentOf(context: Context, addresses: readonly string[]): Promise<Consent> {
  if (addresses.length === 0) return { agreed: new Set(), asked: new Set() }
  const members = await rowsOf(context, 'memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('users.email', 'in', addresses)
    .where('users.email_verified', '=', 1)
    .execute()
  const known = await rowsOf(context, 'notification_addresses')
    .select(['address', 'confirmed_at', 'expires_at'])
    .where('address', 'in', addresses)
    .execute()
  const confirmed = known.filter(({ confirmed_at }) => confirmed_at !== null)
  const asked = known.filter(({ expires_at }) => expires_at !== null && expires_at > context.realNow)
  return {
    agreed: new Set([...members.map(({ email }) => email), ...confirmed.map(({ address }) => address)]),
    asked: new Set(asked.map(({ address }) => address)),
  }
}

export function withoutConsent(addresses: readonly string[], { agreed }: Consent): string[] {
  return addresses.filter((address) => !agreed.has(address))
}
