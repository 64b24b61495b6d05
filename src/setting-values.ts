import { SECRETS } from './setting-forms.ts'

/** A setting that cannot be used; its message says why in one line. */
export class SettingError extends Error {
  override name = 'SettingError'
}

/** Spaces around a value mean nothing, and quotation marks belong to a shell. `SECRET_KEY` is free text, which data depends on. */
export function givenValue(name: string, text: string | undefined): string | undefined {
  if (name === 'SECRET_KEY') return text || undefined
  const given = text?.trim() || undefined
  if (given !== undefined && QUOTED.test(given))
    throw new SettingError(refusal(name, given, 'it needs a value without quotation marks around it'))
  return given
}

/** Env files of containers pass quotation marks on. */
export const QUOTED = /^["'`“‘].*["'`”’]$/s

/** Secrets are not repeated, nor addresses that may hold a password. A value is shown in one line. */
export function refusal(name: string, given: string | undefined, problem: string): string {
  const isShown = !SECRETS.has(name) && !given?.includes('@')
  return `${name} is invalid: ${problem}${isShown ? `, not "${given?.replace(/\p{Cc}+/gu, '…')}"` : ''}.`
}
