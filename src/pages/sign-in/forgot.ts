import { html } from 'hono/html'
import { MAX_EMAIL, normalizeEmail } from '../../contract/values/email.ts'
import type { Page, Problem } from '../parts/markup.ts'
import { type PageRequest, pageAnswer, readForm } from '../parts/parts.ts'
import { EMAIL, problemOf } from '../parts/problem-words.ts'
import { formPage, SIGN_IN_REFUSALS, wordsPage } from './document.ts'
import { emailInput } from './new-password.ts'
import { AttemptLimit, type SignInPageParts } from './tries.ts'

/** The limit on emails to one address. The page does not reveal whether it is reached. */
const MAILS_PER_ADDRESS = { name: 'mails with links', perMinute: 1 / 5, burst: 3 }

export class ForgotPage {
  readonly #parts: SignInPageParts
  readonly #tries: AttemptLimit

  constructor(parts: SignInPageParts) {
    this.#parts = parts
    this.#tries = new AttemptLimit('forgotten passwords', parts)
  }

  get = async (): Promise<Response> => pageAnswer(forgotPage('', []))

  /** Every address gets the same response in the same time, so that the page does not reveal who has an account. */
  post = async (_: unknown, incoming: PageRequest): Promise<Response> => {
    const typed = (await readForm(this.#parts.bodies, incoming)).get('email') ?? ''
    const { address, problem } = normalizeEmail(typed)
    if (problem !== null)
      return pageAnswer(forgotPage(typed.slice(0, MAX_EMAIL), [problemOf(EMAIL, problem)]), { status: 422 })
    const wait = await this.#tries.ofClient(incoming.address)
    if (wait > 0) return SIGN_IN_REFUSALS.tooManyPosts(wait)
    if ((await this.#parts.takeTurn(address, MAILS_PER_ADDRESS)) === 0) this.#parts.people.mailPasswordLink(address)
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
