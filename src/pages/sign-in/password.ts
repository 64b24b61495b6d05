import { html } from 'hono/html'
import type { LinkHolder } from '../../access/people/people.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import { pageAnswer, refused, seeOther } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import type { Page, Problem } from '../parts/markup.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import {
  emailInput,
  formPage,
  nameInput,
  newPasswordInput,
  problemsOfEmail,
  problemsOfName,
  problemsOfPassword,
} from './document.ts'
import { DASHBOARD, type SignInPageParts, withCookies } from './own-path.ts'

interface PasswordLink extends LinkHolder {
  token: string
}

export async function passwordLinkOf({ people }: SignInPageParts, token: string): Promise<PasswordLink | null> {
  const holder = await people.holderOfLink(token)
  return holder && { ...holder, token }
}

/** The page where the holder of a link sets a password and, if missing, a name. The owner of a new server also sets an address. */
export class PasswordPage extends PageOf<SignInPageParts> {
  get = async (holder: PasswordLink): Promise<Response> => pageAnswer(passwordPage(holder, knownValues(holder), []))

  post = async (holder: PasswordLink, incoming: PageRequest): Promise<Response> => {
    const { people, bodies } = this.parts
    const form = await readForm(bodies, incoming)
    const typed = typedIn(form, holder)
    const { name, password } = typed
    const again = (problems: Problem[]) => pageAnswer(passwordPage(holder, typed, problems), { status: 422 })
    const problems = [...problemsOfName(name), ...problemsOfEmail(typed.email), ...problemsOfPassword(password)]
    if (problems.length > 0) return again(problems)
    const email = normalizeEmail(typed.email).address ?? holder.email
    const address = await people.setPassword(holder.token, { password, name: name.trim(), email })
    if (address === null) return goneAnswer()
    const cookies = await people.signIn(incoming, address, password)
    return withCookies(seeOther(DASHBOARD), cookies ?? [])
  }
}

/** Returns the page for a password link that is wrong, used or expired. */
export function goneAnswer(): Promise<Response> {
  return refused(404, {
    title: 'This link is no longer valid',
    words: 'Password links work once and expire. Request a new one.',
    way: { url: '/forgot-password', words: 'Request a new link' },
  })
}

interface TypedPassword {
  name: string
  email: string
  password: string
}

function typedIn(form: URLSearchParams, holder: PasswordLink): TypedPassword {
  const password = form.get('password') ?? ''
  if (holder.hasPassword) return { name: holder.name, email: holder.email, password }
  const email = holder.choosesAddress ? (form.get('email') ?? '') : holder.email
  return { name: form.get('name') ?? '', email, password }
}

/** Returns the values to show in the form. The owner of a new server has only placeholders, which must be replaced. */
function knownValues({ name, email, choosesAddress }: PasswordLink): Omit<TypedPassword, 'password'> {
  return choosesAddress ? { name: '', email: '' } : { name, email }
}

function passwordPage(
  holder: PasswordLink,
  { name, email }: Omit<TypedPassword, 'password'>,
  problems: readonly Problem[],
): Page {
  const { hasPassword, choosesAddress } = holder
  const fields = [
    ...(hasPassword ? [] : [nameInput(name, problems)]),
    ...(!hasPassword && choosesAddress ? [emailInput(email, problems)] : []),
    newPasswordInput(problems),
  ]
  return formPage({
    title: hasPassword ? 'Set a new password' : 'Welcome to Shopwright',
    words: wordsFor(holder),
    action: `/set-password/${holder.token}`,
    problems,
    fields,
    button: 'Set password',
  })
}

function wordsFor({ hasPassword, choosesAddress, email }: PasswordLink): string | Page {
  if (hasPassword)
    return html`For <strong>${email}</strong>. This signs you out everywhere and deletes your passkeys. You can add passkeys again afterwards.`
  if (choosesAddress) return 'Enter your name and e-mail address, and choose a password. You will sign in with them.'
  return html`Choose a password. You will sign in with it and <strong>${email}</strong>.`
}
