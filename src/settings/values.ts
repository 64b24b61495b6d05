import { SECRETS } from './forms.ts'

/** An invalid setting; the message gives the reason in one line. */
export class SettingError extends Error {
  override name = 'SettingError'
}

/** Trims a value and refuses quotation marks. SECRET_KEY is returned unchanged, because stored data depends on it. */
export function givenValue(name: string, text: string | undefined): string | undefined {
  if (name === 'SECRET_KEY') return text || undefined
  const given = text?.trim() || undefined
  if (given !== undefined && QUOTED.test(given))
    throw new SettingError(refusal(name, given, 'it needs a value without quotation marks around it'))
  return given
}

/** Container env files pass quotation marks on as a part of the value. */
export const QUOTED = /^["'`“‘].*["'`”’]$/s

/** Omits secrets, and addresses that may hold a password. Replaces control characters, so that the message stays one line. */
export function refusal(name: string, given: string | undefined, problem: string): string {
  const isShown = !SECRETS.has(name) && !given?.includes('@')
  return `${name} is invalid: ${problem}${isShown ? `, not "${given?.replace(/\p{Cc}+/gu, '…')}"` : ''}.`
}
