import { PASSWORD_LENGTHS } from '../../access/people/limits.ts'
import type { LinkHolder } from '../../access/people/people.ts'
import { MAX_EMAIL, normalizeEmail } from '../../contract/email.ts'
import { pageAnswer, seeOther } from '../parts/answers.ts'
import type { Page } from '../parts/document.ts'
import { readForm } from '../parts/form.ts'
import type { PageRequest } from '../parts/parts.ts'
import type { Problem } from '../parts/problem.ts'
import { refused } from '../parts/refusals.ts'
import { withCookies } from './cookies.ts'
import { formPage, input } from './document.ts'
import { DASHBOARD } from './next.ts'
import type { SignInPageParts } from './parts.ts'

const MAX_NAME = 100

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

  get = async (holder: Holder): Promise<Response> => pageAnswer(passwordPage(holder, holder, []))

  post = async (holder: Holder, incoming: PageRequest): Promise<Response> => {
    const { people, bodies } = this.#parts
    const form = await readForm(bodies, incoming)
    const typed = typedIn(form, holder)
    const again = (problems: Problem[]) => pageAnswer(passwordPage(holder, typed, problems), { status: 422 })
    const problems = [...problemsOfDetails(typed), ...problemsOfPassword(typed.password)]
    if (problems.length > 0) return again(problems)
    const email = normalizeEmail(typed.email).address ?? holder.email
    if (!holder.hasPassword && !(await people.changeDetails(holder.userId, { name: typed.name.trim(), email })))
      return again([{ field: 'email', message: 'Somebody else signs in with this address.' }])
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

function problemsOfDetails({ name, email }: Typed): Problem[] {
  const problems: Problem[] = []
  if (name.trim() === '') problems.push({ field: 'name', message: 'Enter your name.' })
  if (name.length > MAX_NAME) problems.push({ field: 'name', message: `Use at most ${MAX_NAME} characters.` })
  const { problem } = normalizeEmail(email)
  if (problem !== null) problems.push({ field: 'email', message: `The e-mail address ${problem}.` })
  return problems
}

/** What is wrong with a new password. */
export function problemsOfPassword(password: string, field = 'password'): Problem[] {
  const { min, max } = PASSWORD_LENGTHS
  if (password.length < min) return [{ field, message: `Use ${min} characters or more.` }]
  return password.length > max ? [{ field, message: `Use at most ${max} characters.` }] : []
}

function passwordPage(holder: Holder, { name, email }: Omit<Typed, 'password'>, problems: readonly Problem[]): Page {
  const details = [
    input({ ...NAME, value: name, problems }),
    input({ ...EMAIL, value: email, problems }),
    input({ ...PASSWORD, problems }),
  ]
  return formPage({
    title: holder.hasPassword ? 'Set a new password' : 'Welcome to Shopwright',
    words: holder.hasPassword
      ? `For ${holder.email}. All sessions of yours end.`
      : 'Say who you are and choose a password. You will sign in with them.',
    action: `/set-password/${holder.token}`,
    problems,
    fields: holder.hasPassword ? [input({ ...PASSWORD, problems })] : details,
    button: 'Set the password',
  })
}

const NAME = { id: 'name', label: 'Your name', type: 'text', autocomplete: 'name', maxLength: MAX_NAME } as const
const EMAIL = {
  id: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  maxLength: MAX_EMAIL,
} as const
const PASSWORD = {
  id: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  maxLength: PASSWORD_LENGTHS.max,
  hint: `${PASSWORD_LENGTHS.min} characters or more. A few words do well.`,
} as const
