import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { PASSWORD_LENGTHS } from '../../access/people/limits.ts'
import { MAX_EMAIL, normalizeEmail } from '../../contract/values/email.ts'
import { refusalsIn } from '../parts/answers.ts'
import { asset, sheets, stylesheet } from '../parts/asset.ts'
import { document } from '../parts/document.ts'
import { field, type Page, type Problem, summaryOf } from '../parts/markup.ts'
import { type Asked, EMAIL, problemOf } from '../parts/problem-words.ts'

export const SIGN_IN_REFUSALS = refusalsIn({
  foreign: 'it was not accepted. Open the page and try again.',
  tooMany: 'Too many attempts in a short time.',
  open: 'Open the page',
  openAgain: 'Open the page again',
  undone: 'Nothing was changed.',
  busy: 'The service is very busy',
  broken: (requestId) =>
    `Please try again. If this happens again, give the operator of this service this number: ${requestId}.`,
})

export const PASSKEY_SCRIPT = asset(
  '/sign-in/passkey',
  'js',
  readFileSync(new URL('./passkey.js', import.meta.url), 'utf8'),
)

export const SIGN_IN_STYLE = stylesheet('/sign-in/', ...sheets(import.meta.url, 'sign-in'))

interface FormPageOptions {
  title: string
  words?: string | Page
  action: string
  problems: readonly Problem[]
  fields: Page | Page[]
  button: string
  below?: Page
}

export function formPage({ title, words, action, problems, fields, button, below }: FormPageOptions): Page {
  return framed(
    problems.length > 0 ? `Problem: ${title}` : title,
    html`<h1>${title}</h1>
${words ? html`<p>${words}</p>` : ''}
${summaryOf(problems)}
<form method="post" novalidate action="${action}">
${fields}
<p><button class="primary" type="submit">${button}</button></p>
</form>
${below ?? ''}`,
  )
}

export function wordsPage({ title, words, way }: { title: string; words: string | Page; way?: PageLink }): Page {
  const content = html`<h1>${title}</h1><p role="status">${words}</p>
${way ? html`<p><a class="button primary" href="${way.path}">${way.words}</a></p>` : ''}`
  return framed(title, content)
}

interface PageLink {
  path: string
  words: string
}

interface InputOptions {
  id: string
  label: string
  hint?: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  value?: string
  maxLength: number
  problems: readonly Problem[]
}

/** Renders an input. A typed password is never sent back. */
function input({ id, label, hint, type, autocomplete, value = '', maxLength, problems }: InputOptions): Page {
  const spelling = type === 'text' ? '' : html` autocapitalize="none" spellcheck="false"`
  const kept = type === 'password' ? '' : html` value="${value}"`
  return field({
    ...{ id, label, problems, ...(hint !== undefined && { hint }) },
    input: (described) =>
      html`<input id="${id}" name="${id}" type="${type}" required maxlength="${maxLength}" autocomplete="${autocomplete}"${spelling}${kept}${described}>`,
  })
}

export function hidden(name: string, value: string): Page {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

function framed(title: string, content: Page): Page {
  const frame = { shop: { name: 'Shopwright', email: null }, test: false, style: SIGN_IN_STYLE.address }
  return document(title, frame, html`<div class="message sign-in">${content}</div>`)
}

const MAX_NAME = 100
const NAME: Asked = { id: 'name', label: 'Name', kind: 'text', blank: 'Enter your name.' }

export function problemsOfPassword(password: string, field = 'password'): Problem[] {
  const { min, max } = PASSWORD_LENGTHS
  const asked: Asked = { id: field, label: 'Password', kind: 'text' }
  if ([...password].length < min) return [problemOf(asked, `is too short (minimum is ${min} characters)`)]
  return password.length > max ? [problemOf(asked, tooLong(max))] : []
}

export function problemsOfName(name: string): Problem[] {
  if (name.trim() === '') return [problemOf(NAME, "can't be blank")]
  // Emails to other people contain the name, so it must be on one line.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return [problemOf(NAME, 'must be in one line')]
  return name.length > MAX_NAME ? [problemOf(NAME, tooLong(MAX_NAME))] : []
}

export function problemsOfEmail(email: string): Problem[] {
  const { problem } = normalizeEmail(email)
  return problem === null ? [] : [problemOf(EMAIL, problem)]
}

function tooLong(most: number): string {
  return `is too long (maximum is ${most} characters)`
}

export function nameInput(value: string, problems: readonly Problem[]): Page {
  return input({
    ...{ id: 'name', label: 'Your name', type: 'text', autocomplete: 'name', maxLength: MAX_NAME },
    ...{ value, problems },
  })
}

export function emailInput(value: string, problems: readonly Problem[]): Page {
  return input({
    ...{ id: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', maxLength: MAX_EMAIL },
    ...{ value, problems },
  })
}

export function passwordInput(options: Pick<InputOptions, 'id' | 'label' | 'hint' | 'problems'>): Page {
  return input({ ...options, type: 'password', autocomplete: 'current-password', maxLength: PASSWORD_LENGTHS.max })
}

export function newPasswordInput(problems: readonly Problem[], label = 'Password'): Page {
  return input({
    ...{ id: 'password', label, type: 'password', autocomplete: 'new-password' },
    ...{ maxLength: PASSWORD_LENGTHS.max, problems },
    hint: `${PASSWORD_LENGTHS.min} characters or more. A few random words work well.`,
  })
}
