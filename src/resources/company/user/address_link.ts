import type { Context } from '../../../records/context.ts'
import { job } from '../../../records/job.ts'
import { addressChange, keepLinkOf, userWithAddress } from './address_change.ts'
import { hashOfSecret, newLinkToken } from './password_link.ts'
import { type PersonalLetter, sendLetter } from './personal_mail.ts'

type Place = Pick<Context, 'db' | 'services' | 'publicUrl'>

/** Mails the link that proves an address. Each attempt makes its own, so no job holds a secret; the last one counts. */
export const mailAddressLink = job<{ change: string }>('user.mail_address_link', {
  attempts: 5,
  async work(place, { change: id }) {
    const letter = await place.transaction((context) => letterFor(context, id))
    if (letter) await sendLetter(place, letter)
    await place.finish(async () => {})
  },
})

async function letterFor({ db, services, publicUrl }: Place, id: string): Promise<PersonalLetter | null> {
  const change = await addressChange({ db }, id)
  if (!change) return null
  const { email, name, present } = change
  const holder = await userWithAddress({ db }, email)
  if (holder !== undefined && holder !== change.user_id) return knownLetter(email, publicUrl)
  const token = newLinkToken()
  await keepLinkOf({ db }, id, hashOfSecret(services.vault, `address:${token}`))
  return {
    // Others may ask for letters to the address that a person has, and use those up.
    kind: email === present ? 'account_notice' : 'address_change',
    to: email,
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    words:
      email === present
        ? `${name} signs in with ${email}. Confirm that this address is yours.`
        : `${name} wants to sign in with ${email} from now on. Confirm that this address is yours.`,
    link: { label: 'Confirm the address', url: `${publicUrl}/confirm-address/${token}` },
    after: 'The link works once, for a day, while you are signed in. If it was not you, ignore this message.',
  }
}

/** Only whoever reads the mail of an address learns that somebody signs in with it. */
function knownLetter(to: string, publicUrl: string): PersonalLetter {
  return {
    kind: 'address_change',
    to,
    subject: 'You can sign in with this address already',
    heading: 'You can sign in with this address already',
    words: `Somebody has asked to sign in with ${to}. You can do so already, so nothing was changed.`,
    link: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    after: 'If it was you, sign in with this address, or set a new password for it. If not, ignore this message.',
  }
}

/** What the earlier address of a person is told. */
interface AddressNews {
  /** The earlier address. */
  to: string
  /** The new one. */
  email: string
  /** Whether the change is made, and not only asked for. */
  made: boolean
}

/** Tells the earlier address of a person that another was asked for, or has taken its place. */
export const mailAddressNews = job<AddressNews>('user.mail_address_news', {
  attempts: 5,
  async work(place, news) {
    const publicUrl = await place.read(async (context) => context.publicUrl)
    await sendLetter(place, news.made ? madeLetter(news) : askedLetter(news, publicUrl))
    await place.finish(async () => {})
  },
})

function askedLetter({ to, email }: AddressNews, publicUrl: string): PersonalLetter {
  return {
    kind: 'account_notice',
    to,
    subject: 'Your e-mail address is about to change',
    heading: 'Your e-mail address is about to change',
    words: `Somebody who knows your password has asked to sign in with ${email} in place of ${to}. The address changes once it is confirmed from there.`,
    link: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
    after:
      'If it was you, there is nothing to do here. If not, set a new password now: this stops the change and signs everybody out.',
  }
}

function madeLetter({ to, email }: AddressNews): PersonalLetter {
  return {
    kind: 'account_notice',
    to,
    subject: 'Your e-mail address has changed',
    heading: 'Your e-mail address has changed',
    words: `You now sign in with ${email}, and no longer with ${to}.`,
    after: 'If it was not you, tell an owner of the account or whoever runs this service at once.',
  }
}
