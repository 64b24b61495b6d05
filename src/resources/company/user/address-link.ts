import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { hashOfSecret, newLinkToken } from './password-link.ts'
import { type PersonalLetter, sendLetter } from './personal-mail.ts'

type AddressLinkContext = Pick<Context, 'db' | 'services' | 'publicUrl'>

/** E-mails the link that confirms an address. Each attempt creates a new link, because a job must not store a secret. */
export const mailAddressLink = job<{ change: string }>('user.mail_address_link', {
  attempts: 5,
  async foresee({ db }, changes) {
    const found = await Promise.all(changes.map(({ change }) => addressChange({ db }, change)))
    return found.flatMap((change) => (change ? [{ kind: 'email', to: change.email }] : []))
  },
  async work(job, { change: id }) {
    const letter = await job.transaction((context) => letterFor(context, id))
    if (letter) await sendLetter(job, letter)
    await job.finish(async () => {})
  },
})

async function letterFor({ db, services, publicUrl }: AddressLinkContext, id: string): Promise<PersonalLetter | null> {
  const change = await addressChange({ db }, id)
  if (!change) return null
  const { email, name, present } = change
  const holder = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
  if (holder && holder.id !== change.user_id) return addressInUseLetter(email, publicUrl)
  const token = newLinkToken()
  // The new hash invalidates the earlier link.
  const token_hash = hashOfSecret(services.vault, `address:${token}`)
  await db.updateTable('address_changes').set({ token_hash }).where('id', '=', id).execute()
  return {
    // Strangers can use up the limit on `address_change` letters to the present address, so confirming that address uses another kind.
    kind: email === present ? 'account_notice' : 'address_change',
    to: email,
    heading: 'Confirm your e-mail address',
    words:
      email === present
        ? `${name} signs in with ${email}. Confirm that this address is yours.`
        : `${name} wants to use ${email} to sign in. Confirm that this address is yours.`,
    link: { label: 'Confirm address', url: `${publicUrl}/confirm-address/${token}` },
    after:
      'The link works once, for one day, while you are signed in. If you did not request this, ignore this message.',
  }
}

/** Returns the letter to the owner of an address that is already in use, which the response to the request must not reveal. */
function addressInUseLetter(to: string, publicUrl: string): PersonalLetter {
  return {
    kind: 'address_change',
    to,
    heading: 'You can already sign in with this address',
    words: `We received a request to use ${to} to sign in. This address can already sign in, so nothing was changed.`,
    link: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    after: 'If this was you, sign in with this address or set a new password. If not, ignore this message.',
  }
}

interface AddressChangeNotice {
  to: string
  email: string
  /** False when the change was only requested and has not taken effect. */
  made: boolean
}

/** Informs a person's previous address that a change to a new address was requested or has taken effect. */
export const mailAddressNews = job<AddressChangeNotice>('user.mail_address_news', {
  attempts: 5,
  foresee: async (_, news) => news.map(({ to }) => ({ kind: 'email', to })),
  async work(job, news) {
    const publicUrl = await job.read(async (context) => context.publicUrl)
    await sendLetter(job, news.made ? signInAddressChangedLetter(news) : changeRequestedLetter(news, publicUrl))
    await job.finish(async () => {})
  },
})

function changeRequestedLetter({ to, email }: AddressChangeNotice, publicUrl: string): PersonalLetter {
  return {
    kind: 'account_notice',
    to,
    heading: 'Your e-mail address is about to change',
    words: `Someone who knows your password asked to change your sign-in address from ${to} to ${email}. The change takes effect when the new address is confirmed.`,
    link: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    after:
      'If this was you, no action is needed. If not, set a new password now: this stops the change and signs out every device.',
  }
}

function signInAddressChangedLetter({ to, email }: AddressChangeNotice): PersonalLetter {
  return {
    kind: 'account_notice',
    to,
    heading: 'Your e-mail address has changed',
    words: `You now sign in with ${email} instead of ${to}.`,
    after: 'If this was not you, contact an owner of the account or the operator of this service immediately.',
  }
}

function addressChange({ db }: Pick<Context, 'db'>, id: string) {
  return db
    .selectFrom('address_changes')
    .innerJoin('users', 'users.id', 'address_changes.user_id')
    .select(['address_changes.email', 'user_id', 'users.name', 'users.email as present'])
    .where('address_changes.id', '=', id)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
}
