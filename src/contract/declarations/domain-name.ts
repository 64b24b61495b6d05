import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { field } from './kinds.ts'

/** A host name in DNS (RFC 1035): labels of at most 63 characters; the last one starts with a letter. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
const MAX_LENGTH = 253
/** Longer input cannot become a valid domain in Punycode. */
const MAX_INPUT = 1_000
/** Characters of URLs and e-mail addresses. Text with one of them stays as it is and then fails the check. */
const URL_CHARACTERS = /[/:@?#[\]\\\s]/
const PROBLEM = 'must be a domain without https://, port or path, such as shop.example.com'

const schema = z
  .string()
  .max(MAX_INPUT, `is too long (maximum is ${MAX_LENGTH} characters)`)
  .transform((given) => {
    const named = given.trim().replace(/\.$/, '')
    return URL_CHARACTERS.test(named) ? named : domainToASCII(named)
  })
  .refine((domain) => domain.length <= MAX_LENGTH && HOST.test(domain), PROBLEM)

/** Declares a domain; accepts any case and script, and stores lower-case Punycode. */
export function domainName(description: string, example: string) {
  return field<string>('string', schema, description, { example, json: { type: 'string', maxLength: MAX_LENGTH } })
}
