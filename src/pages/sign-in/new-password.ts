import { PASSWORD_LENGTHS } from '../../access/people/limits.ts'
import { MAX_EMAIL } from '../../contract/values/email.ts'
import type { Page } from '../parts/document.ts'
import type { Problem } from '../parts/problem.ts'
import { input } from './document.ts'

const MAX_NAME = 100

/** What is wrong with a new password. */
export function problemsOfPassword(password: string, field = 'password'): Problem[] {
  const { min, max } = PASSWORD_LENGTHS
  if ([...password].length < min) return [{ field, message: `Use ${min} characters or more.` }]
  return password.length > max ? [{ field, message: `Use at most ${max} characters.` }] : []
}

/** What is wrong with a person's name. */
export function problemsOfName(name: string): Problem[] {
  if (name.trim() === '') return [{ field: 'name', message: 'Enter your name.' }]
  // Letters to others say the name.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return [{ field: 'name', message: 'Write your name in one line.' }]
  return name.length > MAX_NAME ? [{ field: 'name', message: `Use at most ${MAX_NAME} characters.` }] : []
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

/** For the password that somebody has. */
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
