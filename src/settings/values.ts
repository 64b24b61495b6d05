/** An invalid setting; the message gives the reason in one line. */
export class SettingError extends Error {}

/** Trims a setting's value and refuses quotation marks. SECRET_KEY stays unchanged, because stored data depends on its exact text. */
export function givenValue(name: string, text: string | undefined): string | undefined {
  if (name === 'SECRET_KEY') return text || undefined
  const given = text?.trim() || undefined
  if (given !== undefined && QUOTED.test(given))
    throw new SettingError(refusal(name, given, 'it needs a value without quotation marks around it'))
  return given
}

/** Matches a value in quotation marks, which container env files do not remove. */
export const QUOTED = /^["'`“‘].*["'`”’]$/s

/** Matches the names of settings whose values must never be shown. */
const SECRET = /(SECRET|KEY|TOKEN)$|^(DATABASE_URL|SMTP_URL|X402_RPC_URLS|OTEL_EXPORTER_OTLP_HEADERS)$/

/** Returns the message about an invalid setting, in one line. It omits secrets, and URLs that may contain a password. */
export function refusal(name: string, given: string | undefined, problem: string): string {
  const isShown = !SECRET.test(name) && !given?.includes('@')
  return `${name} is invalid: ${problem}${isShown ? `, not "${given?.replace(/\p{Cc}+/gu, '…')}"` : ''}.`
}
