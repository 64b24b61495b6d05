import { html } from 'hono/html'
import type { OpenInvitation, SignedIn } from '../../access/people/people.ts'
import { aOrAn } from '../../format/names.ts'
import { pageAnswer, refused, seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import type { Page, Problem } from '../parts/markup.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import {
  formPage,
  hidden,
  nameInput,
  newPasswordInput,
  problemsOfName,
  problemsOfPassword,
  wordsPage,
} from './document.ts'
import { type SignInPageParts, withCookies } from './own-path.ts'

interface InvitationLink extends OpenInvitation {
  address: string
}

export async function invitationLinkOf({ people }: SignInPageParts, secret: string): Promise<InvitationLink | null> {
  const invitation = await people.invitationOf(secret)
  return invitation && { ...invitation, address: `/invitations/${secret}` }
}

/** The page where an invited person joins an account. It does not reveal whether a user has the invited address. */
export class InvitationPage extends PageOf<SignInPageParts> {
  get = async (invited: InvitationLink, { header }: PageRequest): Promise<Response> => {
    const person = await this.parts.people.personOf(header)
    if (person && person.email !== invited.email) return pageAnswer(otherPersonPage(invited, person))
    if (person?.verified) return pageAnswer(joinPage(invited, person))
    return pageAnswer(linkPage(invited, person, { name: person?.name ?? '', problems: [] }))
  }

  post = async (invited: InvitationLink, incoming: PageRequest): Promise<Response> => {
    const { people, bodies } = this.parts
    const form = await readForm(bodies, incoming)
    const person = await people.personOf(incoming.header)
    if (person && person.email !== invited.email) return seeOther(invited.address)
    if (!person?.verified)
      return this.#joinByLink(invited, incoming, { name: form.get('name') ?? '', password: form.get('password') ?? '' })
    const joined = await people.joinAs(invited, person)
    if (joined === 'known') return seeOther(invited.address)
    return joined === null ? endedInvitationAnswer() : seeOther(`/dashboard/${invited.subdomain}`)
  }

  /** Sets the typed password, adds the person to the account and signs them in. */
  async #joinByLink(invited: InvitationLink, incoming: PageRequest, typed: Record<'name' | 'password', string>) {
    const { people } = this.parts
    const [name, password] = [typed.name.trim(), typed.password]
    const problems = [...problemsOfName(name), ...problemsOfPassword(password)]
    if (problems.length > 0) return pageAnswer(linkPage(invited, null, { name, problems }), { status: 422 })
    const joined = await people.joinByLink(invited, { name, password })
    if (joined === null) return endedInvitationAnswer()
    if (joined === 'known') return pageAnswer(signInFirstPage(invited), { status: 422 })
    const cookies = await people.signIn(incoming, invited.email, password)
    return withCookies(seeOther(`/dashboard/${invited.subdomain}`), cookies ?? [])
  }
}

/** Returns the page for an invitation link that is wrong, used, revoked or expired. */
export function endedInvitationAnswer(): Promise<Response> {
  return refused(404, {
    title: 'This invitation is no longer valid',
    words:
      'It was accepted or revoked, it is older than 7 days, or the person who invited you can no longer invite people. Ask for a new one.',
    way: { url: '/sign-in', words: 'Sign in' },
  })
}

interface TypedInvitation {
  name: string
  problems: readonly Problem[]
}

/** Renders the form for joining with a new password. It confirms the address of a person who has an unconfirmed one. */
function linkPage(invited: InvitationLink, person: SignedIn | null, { name, problems }: TypedInvitation): Page {
  const { account, email, role, address } = invited
  return formPage({
    title: `Join ${account}`,
    words: html`You are invited as ${aOrAn(role)}. Choose a password. You will sign in with <strong>${email}</strong>.${
      person
        ? ' It replaces your current password and deletes your passkeys, because this address is not confirmed yet.'
        : ''
    }`,
    action: address,
    problems,
    // A password manager saves this address together with the password.
    fields: [
      html`<input type="email" name="username" value="${email}" autocomplete="username" readonly hidden>`,
      nameInput(name, problems),
      newPasswordInput(problems),
    ],
    button: 'Join',
    ...(!person && {
      below: html`<p class="ways">Already have a password for this address? <a href="${signInAddress(invited)}">Sign in to join</a></p>`,
    }),
  })
}

function signInAddress({ address }: InvitationLink): string {
  return `/sign-in?next=${encodeURIComponent(address)}`
}

function joinPage({ account, role, address }: InvitationLink, { email }: SignedIn): Page {
  return formPage({
    title: `Join ${account}`,
    words: html`You are invited as ${aOrAn(role)}. You are signed in as <strong>${email}</strong>.`,
    action: address,
    problems: [],
    fields: hidden('do', 'join'),
    button: 'Join',
  })
}

function signInFirstPage(invited: InvitationLink): Page {
  return wordsPage({
    title: `Join ${invited.account}`,
    words: html`You already have a password for <strong>${invited.email}</strong>. Sign in with it, then accept the invitation.`,
    way: { path: signInAddress(invited), words: 'Sign in' },
  })
}

function otherPersonPage({ account, email }: InvitationLink, person: SignedIn): Page {
  return formPage({
    title: `Join ${account}`,
    words: html`This invitation is for <strong>${email}</strong>, but you are signed in as <strong>${person.email}</strong>. Sign out, then open the link again.`,
    action: '/sign-out',
    problems: [],
    fields: html``,
    button: 'Sign out',
  })
}
