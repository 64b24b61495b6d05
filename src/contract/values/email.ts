import { domainToASCII, domainToUnicode } from 'node:url'

/** Characters of a whole address (RFC 5321, section 4.5.3.1.3). */
export const MAX_EMAIL = 254

const TOO_LONG = `is too long (maximum is ${MAX_EMAIL} characters)`
/** A decomposed letter or Punycode is longer than what is stored; this much longer it never is. */
const LONGEST_SPELLING = 8 * MAX_EMAIL

type Normalized = { address: string; problem: null } | { address: null; problem: string }

/** Words joined by single dots (RFC 5321 `Dot-string`), with the letters, digits and marks of any script (RFC 6531). */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
/** As DNS has it: labels of at most 63 characters, of which the last is no number. */
const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * The one form in which an address is stored and compared: lower case, NFC, its domain in Unicode. Two spellings of a domain
 * that DNS takes for the same (`MÜLLER.de`, `xn--mller-kva.de`) are the same here. Unicode rather than Punycode because the
 * part before the `@` may need it anyway, and because people search for, and read, what they typed.
 */
export function normalizeEmail(given: string): Normalized {
  const trimmed = given.trim()
  if (trimmed === '') return refused("can't be blank")
  if (trimmed.length > LONGEST_SPELLING) return refused(TOO_LONG)
  // The Kelvin sign, say, would become the k of another address in lower case.
  const lookAlike = [...trimmed].find((character) => character.normalize('NFKC') !== character)
  if (lookAlike !== undefined) return refused(`must not contain ${named(lookAlike)}: write ${plain(lookAlike)}`)
  const composed = trimmed.toLowerCase().normalize('NFC')
  const at = composed.lastIndexOf('@')
  const domain = normalizeDomain(composed.slice(at + 1))
  if (at < 0 || domain === null || !LOCAL_PART.test(composed.slice(0, at)))
    return refused('is not a valid e-mail address')
  const address = `${composed.slice(0, at)}@${domain}`
  return address.length > MAX_EMAIL ? refused(TOO_LONG) : { address, problem: null }
}

/** By the rules of UTS #46, which are those of browsers; null for what no domain can be. */
function normalizeDomain(domain: string): string | null {
  if (!domain.split('.').every((label) => LABEL.test(label))) return null
  const ascii = domainToASCII(domain)
  return ASCII_DOMAIN.test(ascii) ? domainToUnicode(ascii) : null
}

/** `“K” (U+212A)`, since it may look like any other. */
function named(character: string): string {
  return `“${character}” (U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')})`
}

function plain(character: string): string {
  return [...character.normalize('NFKC')].map(named).join(' ')
}

function refused(problem: string): Normalized {
  return { address: null, problem }
}
