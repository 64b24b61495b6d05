import { html } from 'hono/html'
import { UNNAMED_OWNER } from '../../access/first-account.ts'
import type { LinkHolder } from '../../access/people/people.ts'
import { normalizeEmail } from '../../contract/email.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import type { Page } from '../parts/document.ts'
import { readForm } from '../parts/form.ts'
import type { PageRequest } from '../parts/parts.ts'
import type { Problem } from '../parts/problem.ts'
import { refused } from '../parts/refusals.ts'
import { withCookies } from './cookies.ts'
import { formPage } from './document.ts'
import { emailInput, nameInput, newPasswordInput, problemsOfName, problemsOfPassword } from './new-password.ts'
import { DASHBOARD } from './next.ts'
import type { SignInPageParts } from './parts.ts'

/** Whoever has the link of a password. */
export interface Holder extends LinkHolder {
  token: string
}

/** The holder of a link, with the link's token: wrong links are told as pages too, so this is never null. */
export async function holderOf({ people }: Pick<SignInPageParts, 'people'>, token: string): Promise<Holder | null> {
  const holder = await people.holderOfLink(token)
  return holder && { ...holder, token }
}

/** The page on which the holder of a link sets a password, and who has none yet also name and address. */
export class PasswordPage {
  readonly #parts: SignInPageParts

  constructor(parts: SignInPageParts) {
    this.#parts = parts
  }

  get = async (holder: Holder): Promise<Response> => pageAnswer(passwordPage(holder, knownOf(holder), []))

  post = async (holder: Holder, incoming: PageRequest): Promise<Response> => {
    const { people, bodies } = this.#parts
    const form = await readForm(bodies, incoming)
    const typed = typedIn(form, holder)
    const again = (problems: Problem[]) => pageAnswer(passwordPage(holder, typed, problems), { status: 422 })
    const problems = problemsOf(typed)
    if (problems.length > 0) return again(problems)
    const email = normalizeEmail(typed.email).address ?? holder.email
    if (!holder.hasPassword) {
      const change = await people.changeDetailsByLink(holder.token, { name: typed.name.trim(), email })
      if (change === 'taken') return again([{ field: 'email', message: 'Somebody else signs in with this address.' }])
      if (change === 'gone') return goneAnswer()
    }
    if (!(await people.setPassword(holder.token, typed.password))) return goneAnswer()
    const cookies = await people.signIn(incoming, email, typed.password)
    return withCookies(seeOther(DASHBOARD), cookies ?? [])
  }
}

/** The link is wrong, was used, or is too old. */
export function goneAnswer(): Promise<Response> {
  return refused(404, {
    title: 'This link can no longer be used',
    words: 'Each link sets a password once, and only for a while. Ask for a new one.',
    way: { url: '/forgot-password', words: 'Ask for a new link' },
  })
}

interface Typed {
  name: string
  email: string
  password: string
}

function typedIn(form: URLSearchParams, { name, email, hasPassword }: Holder): Typed {
  const password = form.get('password') ?? ''
  if (hasPassword) return { name, email, password }
  return { name: form.get('name') ?? '', email: form.get('email') ?? '', password }
}

/** Nobody is to keep the address that the service made up. */
function knownOf({ name, email }: Holder): Omit<Typed, 'password'> {
  return email === UNNAMED_OWNER.email ? { name: '', email: '' } : { name, email }
}

function problemsOf({ name, email, password }: Typed): Problem[] {
  const { problem } = normalizeEmail(email)
  const ofEmail = problem === null ? [] : [{ field: 'email', message: `The e-mail address ${problem}.` }]
  return [...problemsOfName(name), ...ofEmail, ...problemsOfPassword(password)]
}

function passwordPage(holder: Holder, { name, email }: Omit<Typed, 'password'>, problems: readonly Problem[]): Page {
  const details = [nameInput(name, problems), emailInput(email, problems)]
  return formPage({
    title: holder.hasPassword ? 'Set a new password' : 'Welcome to Shopwright',
    words: holder.hasPassword
      ? html`For <strong>${holder.email}</strong>. Wherever you are signed in now, you are signed out.`
      : 'Say who you are and choose a password. You will sign in with them.',
    action: `/set-password/${holder.token}`,
    problems,
    fields: [...(holder.hasPassword ? [] : details), newPasswordInput(problems)],
    button: 'Set the password',
  })
}
