import { PASSWORD_LENGTHS } from '../../access/people/limits.ts'
import { MAX_EMAIL, normalizeEmail } from '../../contract/values/email.ts'
import type { Page, Problem } from '../parts/markup.ts'
import { type Asked, EMAIL, problemOf } from '../parts/problem-words.ts'
import { input } from './document.ts'

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

interface PasswordInput {
  id: string
  label: string
  hint?: string
  problems: readonly Problem[]
}

export function passwordInput(options: PasswordInput): Page {
  return input({ ...options, type: 'password', autocomplete: 'current-password', maxLength: PASSWORD_LENGTHS.max })
}

export function newPasswordInput(problems: readonly Problem[], label = 'Password'): Page {
  return input({
    ...{ id: 'password', label, type: 'password', autocomplete: 'new-password' },
    ...{ maxLength: PASSWORD_LENGTHS.max, problems },
    hint: `${PASSWORD_LENGTHS.min} characters or more. A few random words work well.`,
  })
}
