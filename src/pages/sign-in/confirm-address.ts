import { html } from 'hono/html'
import type { AskedAddress, SignedIn } from '../../access/people/people.ts'
import { pageAnswer, refused, seeOther } from '../parts/answers.ts'
import type { Page } from '../parts/markup.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import { formPage, hidden, wordsPage } from './document.ts'
import { DASHBOARD, type SignInPageParts } from './own-path.ts'

interface ConfirmationLink extends AskedAddress {
  token: string
  address: string
}

export async function confirmationLinkOf({ people }: SignInPageParts, token: string): Promise<ConfirmationLink | null> {
  const asked = await people.addresses.ofLink(token)
  return asked && { ...asked, token, address: `/confirm-address/${token}` }
}

/**
 * Lets only the person who requested an address confirm it, to prevent others from claiming the address of a person who opens the link.
 */
export class ConfirmAddressPage extends PageOf<SignInPageParts> {
  get = async (proving: ConfirmationLink, { header }: PageRequest): Promise<Response> => {
    const person = await this.parts.people.personOf(header)
    if (!person) return pageAnswer(signInFirstPage(proving))
    return pageAnswer(
      person.userId === proving.userId ? confirmPage(proving, person) : otherPersonPage(proving, person),
    )
  }

  post = async (proving: ConfirmationLink, { header }: PageRequest): Promise<Response> => {
    const { people } = this.parts
    const person = await people.personOf(header)
    if (person?.userId !== proving.userId) return seeOther(proving.address)
    const confirmed = await people.addresses.confirm(proving.token, person.userId)
    if (confirmed === 'gone') return endedLinkAnswer()
    return confirmed === 'taken' ? takenAnswer(proving) : pageAnswer(confirmedPage(proving))
  }
}

/** Returns the page for a confirmation link that is wrong, used or expired. */
export function endedLinkAnswer(): Promise<Response> {
  return refused(404, {
    title: 'This link is no longer valid',
    words:
      'A confirmation link works once, for one day, and stops working when the password or address changes. Request a new one on your profile page.',
    way: { url: DASHBOARD, words: 'Go to the dashboard' },
  })
}

/** Returns the page for an address that another user has. Only those who read the address's e-mail see this page. */
function takenAnswer({ email }: ConfirmationLink): Promise<Response> {
  return refused(409, {
    title: 'You can already sign in with this address',
    words: `Sign out, and sign in with ${email}. If you forgot its password, set a new one.`,
    way: { url: '/forgot-password', words: 'Set a new password' },
  })
}

function confirmPage({ email, address }: ConfirmationLink, person: SignedIn): Page {
  return formPage({
    title: 'Confirm your e-mail address',
    words:
      email === person.email
        ? html`Confirm that <strong>${email}</strong> is yours.`
        : html`You will sign in with <strong>${email}</strong> instead of <strong>${person.email}</strong>.`,
    action: address,
    problems: [],
    fields: hidden('do', 'confirm'),
    button: 'Confirm address',
  })
}

function confirmedPage({ email }: ConfirmationLink): Page {
  return wordsPage({
    title: 'Your address is confirmed',
    words: html`You sign in with <strong>${email}</strong>.`,
    way: { path: DASHBOARD, words: 'Go to the dashboard' },
  })
}

function signInFirstPage({ email, address }: ConfirmationLink): Page {
  return wordsPage({
    title: 'Confirm your e-mail address',
    words: html`Sign in with your current address, then confirm <strong>${email}</strong>. If you did not request this, close the page; nothing changes.`,
    way: { path: `/sign-in?next=${encodeURIComponent(address)}`, words: 'Sign in' },
  })
}

function otherPersonPage({ email }: ConfirmationLink, person: SignedIn): Page {
  return formPage({
    title: 'Confirm your e-mail address',
    words: html`This link was sent to another user to confirm <strong>${email}</strong>, but you are signed in as <strong>${person.email}</strong>. If it is for you, sign out and open it again.`,
    action: '/sign-out',
    problems: [],
    fields: html``,
    button: 'Sign out',
  })
}
