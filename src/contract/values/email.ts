import { domainToASCII, domainToUnicode } from 'node:url'
import { codePoint } from '../../format/hidden-characters.ts'

/** The maximum number of characters of an address (RFC 5321, section 4.5.3.1.3). */
export const MAX_EMAIL = 254

const TOO_LONG = `is too long (maximum is ${MAX_EMAIL} characters)`
/** The maximum length of input. Decomposed letters and Punycode are longer than the stored form, but never longer than this. */
const MAX_INPUT = 8 * MAX_EMAIL

type Normalized = { address: string; problem: null } | { address: null; problem: string }

/** A local part: words joined by single dots (RFC 5321 `Dot-string`), with characters of any script (RFC 6531). */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u
/** A host name in DNS: labels of at most 63 characters; the last one starts with a letter. */
const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * Normalises an address for storage and comparison: lower case, NFC, and the domain in Unicode. Spellings that DNS treats as equal
 * (`MÜLLER.de`, `xn--mller-kva.de`) become equal. The domain is in Unicode, not Punycode, because the local part may need Unicode anyway,
 * and because people search for the text that they typed.
 */
export function normalizeEmail(given: string): Normalized {
  const trimmed = given.trim()
  if (trimmed === '') return refused("can't be blank")
  if (trimmed.length > MAX_INPUT) return refused(TOO_LONG)
  // Look-alikes are refused: lower-casing the Kelvin sign, for example, would give the address of somebody else with a k.
  const lookAlike = [...trimmed].find((character) => character.normalize('NFKC') !== character)
  if (lookAlike !== undefined)
    return refused(`must not contain ${withCodePoint(lookAlike)}: write ${replacementFor(lookAlike)}`)
  const composed = trimmed.toLowerCase().normalize('NFC')
  const at = composed.lastIndexOf('@')
  const domain = normalizeDomain(composed.slice(at + 1))
  if (at < 0 || domain === null || !LOCAL_PART.test(composed.slice(0, at)))
    return refused('is not a valid e-mail address')
  const address = `${composed.slice(0, at)}@${domain}`
  return address.length > MAX_EMAIL ? refused(TOO_LONG) : { address, problem: null }
}

/** Normalises a domain by UTS #46, as browsers do. Returns null if the text cannot be a domain. */
function normalizeDomain(domain: string): string | null {
  if (!domain.split('.').every((label) => LABEL.test(label))) return null
  const ascii = domainToASCII(domain)
  return ASCII_DOMAIN.test(ascii) ? domainToUnicode(ascii) : null
}

/** Returns a character with its code point, `“K” (U+212A)`, because it may look like another character. */
function withCodePoint(character: string): string {
  return `“${character}” (${codePoint(character)})`
}

function replacementFor(character: string): string {
  return [...character.normalize('NFKC')].map(withCodePoint).join(' ')
}

function refused(problem: string): Normalized {
  return { address: null, problem }
}
