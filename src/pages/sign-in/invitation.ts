import { html } from 'hono/html'
import type { OpenInvitation, SignedIn } from '../../access/people/people.ts'
import { aOrAn } from '../../contract/words.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import type { Page } from '../parts/document.ts'
import { readForm } from '../parts/form.ts'
import type { PageRequest } from '../parts/parts.ts'
import type { Problem } from '../parts/problem.ts'
import { refused } from '../parts/refusals.ts'
import { withCookies } from './cookies.ts'
import { formPage, hidden, wordsPage } from './document.ts'
import { nameInput, newPasswordInput, problemsOfName, problemsOfPassword } from './new-password.ts'
import type { SignInPageParts } from './parts.ts'

/** Whoever has the link of an invitation. */
interface Invited extends OpenInvitation {
  /** The path of the page. */
  address: string
}

/** The invitation that a link leads to, or null when there is none any more. */
export async function invitedBy({ people }: Pick<SignInPageParts, 'people'>, secret: string): Promise<Invited | null> {
  const invitation = await people.invitationOf(secret)
  return invitation && { ...invitation, address: `/invitations/${secret}` }
}

/** The page on which somebody joins an account: as who signs in with the address already, or as somebody new. */
export class InvitationPage {
  readonly #parts: SignInPageParts

  constructor(parts: SignInPageParts) {
    this.#parts = parts
  }

  get = async (invited: Invited, { header }: PageRequest): Promise<Response> => {
    const person = await this.#parts.people.personOf(header)
    if (person && person.email !== invited.email) return pageAnswer(otherPersonPage(invited, person))
    if (person) return pageAnswer(joinPage(invited, person))
    if (invited.known?.hasPassword) return pageAnswer(signInFirstPage(invited))
    return pageAnswer(newcomerPage(invited, '', []))
  }

  post = async (invited: Invited, incoming: PageRequest): Promise<Response> => {
    const { people, bodies } = this.#parts
    const form = await readForm(bodies, incoming)
    const person = await people.personOf(incoming.header)
    if (person || invited.known?.hasPassword) {
      if (person?.email !== invited.email) return seeOther(invited.address)
      const joined = await people.takeInvitation(invited, person.name)
      return joined === null ? endedInvitationAnswer() : seeOther(`/dashboard/${invited.subdomain}`)
    }
    return this.#welcome(invited, incoming, { name: form.get('name') ?? '', password: form.get('password') ?? '' })
  }

  /** Somebody who has no password yet gets one, and is signed in. */
  async #welcome(invited: Invited, incoming: PageRequest, { name, password }: Record<'name' | 'password', string>) {
    const { people } = this.#parts
    const problems = [...problemsOfName(name), ...problemsOfPassword(password)]
    if (problems.length > 0) return pageAnswer(newcomerPage(invited, name, problems), { status: 422 })
    const userId = await people.takeInvitation(invited, name.trim())
    if (userId === null) return endedInvitationAnswer()
    await people.setFirstPassword(userId, password)
    const cookies = await people.signIn(incoming, invited.email, password)
    return withCookies(seeOther(`/dashboard/${invited.subdomain}`), cookies ?? [])
  }
}

/** The link is wrong, was used or revoked, or is too old. */
export function endedInvitationAnswer(): Promise<Response> {
  return refused(404, {
    title: 'This invitation is no longer open',
    words: 'It was taken or revoked, or it is older than 7 days. Ask whoever invited you to send another.',
    way: { url: '/sign-in', words: 'Sign in' },
  })
}

function newcomerPage({ account, email, role, address }: Invited, name: string, problems: readonly Problem[]): Page {
  return formPage({
    title: `Join ${account}`,
    words: html`You are invited as ${aOrAn(role)}. From now on you sign in with <strong>${email}</strong>.`,
    action: address,
    problems,
    // A password manager keeps the address with the password.
    fields: [
      html`<input type="email" name="username" value="${email}" autocomplete="username" readonly hidden>`,
      nameInput(name, problems),
      newPasswordInput(problems),
    ],
    button: 'Join',
  })
}

function joinPage({ account, role, address }: Invited, { email }: SignedIn): Page {
  return formPage({
    title: `Join ${account}`,
    words: html`You are invited as ${aOrAn(role)}, and signed in with <strong>${email}</strong>.`,
    action: address,
    problems: [],
    fields: hidden('do', 'join'),
    button: 'Join',
  })
}

function signInFirstPage({ account, email, address }: Invited): Page {
  return wordsPage({
    title: `Join ${account}`,
    words: html`You have a password for <strong>${email}</strong> already. Sign in, and then accept the invitation.`,
    way: { path: `/sign-in?next=${encodeURIComponent(address)}`, words: 'Sign in' },
  })
}

function otherPersonPage({ account, email }: Invited, person: SignedIn): Page {
  return formPage({
    title: `Join ${account}`,
    words: html`This invitation is for <strong>${email}</strong>, and you are signed in with <strong>${person.email}</strong>. Sign out, and then open its link again.`,
    action: '/sign-out',
    problems: [],
    fields: html``,
    button: 'Sign out',
  })
}
