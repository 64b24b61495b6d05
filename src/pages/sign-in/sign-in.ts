import { html } from 'hono/html'
import { MAX_EMAIL, normalizeEmail } from '../../contract/values/email.ts'
import { pageAnswer, seeOther, slowDown } from '../parts/answers.ts'
import { readForm } from '../parts/form.ts'
import type { Page, Problem } from '../parts/markup.ts'
import { PageOf, type PageRequest } from '../parts/page-parts.ts'
import { EMAIL, problemOf } from '../parts/problem-words.ts'
import { AttemptLimit } from './attempt-limit.ts'
import { emailInput, formPage, hidden, PASSKEY_SCRIPT, passwordInput, SIGN_IN_REFUSALS, wordsPage } from './document.ts'
import { ownPath, type SignInPageParts, withCookies } from './own-path.ts'

export class SignInPage extends PageOf<SignInPageParts> {
  readonly #tries = new AttemptLimit('sign-ins', this.parts)

  get = async (_: unknown, { request, header }: PageRequest): Promise<Response> => {
    const next = ownPath(new URL(request.url).searchParams.get('next'))
    if (await this.parts.people.personOf(header)) return seeOther(next)
    return pageAnswer(signInPage({ next, email: '', problems: [] }), { scripts: true })
  }

  post = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    const form = await readForm(this.parts.bodies, incoming)
    const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
    const next = ownPath(form.get('next'))
    const again = (problems: Problem[], status = 422) =>
      pageAnswer(signInPage({ next, email: email.slice(0, MAX_EMAIL), problems }), { status, scripts: true })
    const problems = missingFields(email, password)
    if (problems.length > 0) return again(problems)
    const { address } = normalizeEmail(email)
    const wait = await this.#waitSeconds(incoming, address)
    if (wait > 0) return slowDown(TOO_MANY, wait)
    const cookies = await this.parts.people.signIn(incoming, address ?? UNUSED_ADDRESS, password)
    return cookies === null ? again([WRONG_CREDENTIALS]) : withCookies(seeOther(next), cookies)
  }

  async #waitSeconds({ address: client, header }: PageRequest, email: string | null): Promise<number> {
    if (email === null) return this.#tries.ofClient(client)
    return this.#tries.ofAddress(client, email, await this.parts.people.browserOf(header, email))
  }

  signOut = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    return withCookies(seeOther('/sign-in'), await this.parts.people.signOut(incoming))
  }
}

/** No user has this address. It replaces invalid addresses, so that checking the password takes as long as for a valid one. */
const UNUSED_ADDRESS = 'nobody@invalid.invalid'

const TOO_MANY =
  'Too many wrong passwords for this address or from your network. For now, sign in with a passkey or with a link from “Forgot your password?”.'

/** The message is the same for an unknown address and for a wrong password. */
const WRONG_CREDENTIALS: Problem = { field: 'password', message: 'The e-mail address or the password is wrong.' }

function missingFields(email: string, password: string): Problem[] {
  const problems: Problem[] = []
  if (email.trim() === '') problems.push(problemOf(EMAIL, "can't be blank"))
  if (password === '') problems.push({ field: 'password', message: 'Enter your password.' })
  return problems
}

function signInPage({ next, email, problems }: { next: string; email: string; problems: readonly Problem[] }): Page {
  return formPage({
    title: 'Sign in',
    action: '/sign-in',
    problems,
    fields: [
      hidden('next', next),
      emailInput(email, problems),
      passwordInput({ id: 'password', label: 'Password', problems }),
    ],
    button: 'Sign in',
    below: html`<p class="ways"><a href="/forgot-password">Forgot your password?</a></p>
<div class="passkey" data-next="${next}"><p class="or">or</p>
<p><button type="button" hidden>Sign in with a passkey</button></p>
<p class="problem" role="alert" hidden></p>
<noscript><p class="hint">Signing in with a passkey needs JavaScript.</p></noscript></div>
<script type="module" src="${PASSKEY_SCRIPT.address}"></script>`,
  })
}

/** The limit on emails to one address. The page does not reveal whether it is reached. */
const MAILS_PER_ADDRESS = { name: 'mails with links', perMinute: 1 / 5, burst: 3 }

export class ForgotPage extends PageOf<SignInPageParts> {
  readonly #tries = new AttemptLimit('forgotten passwords', this.parts)

  get = async (): Promise<Response> => pageAnswer(forgotPage('', []))

  /** Every address gets the same response in the same time, so that the page does not reveal who has an account. */
  post = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    const typed = (await readForm(this.parts.bodies, incoming)).get('email') ?? ''
    const { address, problem } = normalizeEmail(typed)
    if (problem !== null)
      return pageAnswer(forgotPage(typed.slice(0, MAX_EMAIL), [problemOf(EMAIL, problem)]), { status: 422 })
    const wait = await this.#tries.ofClient(incoming.address)
    if (wait > 0) return SIGN_IN_REFUSALS.tooManyPosts(wait)
    if ((await this.parts.takeTurn(address, MAILS_PER_ADDRESS)) === 0) this.parts.people.mailPasswordLink(address)
    return pageAnswer(sentPage(address))
  }
}

function forgotPage(email: string, problems: readonly Problem[]): Page {
  return formPage({
    title: 'Forgot your password?',
    words: 'We will e-mail you a link to set a new one.',
    action: '/forgot-password',
    problems,
    fields: emailInput(email, problems),
    button: 'Send link',
    below: html`<p class="ways"><a href="/sign-in">Back to sign-in</a></p>`,
  })
}

function sentPage(email: string): Page {
  return wordsPage({
    title: 'Check your inbox',
    words: html`If an account uses <strong>${email}</strong>, a link is on its way. It works once and expires in an hour.`,
    way: { path: '/sign-in', words: 'Back to sign-in' },
  })
}
