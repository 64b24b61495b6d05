import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { field } from './kinds.ts'

/** As DNS has it (RFC 1035): labels of at most 63 characters, of which the last is no number. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/
const LONGEST = 253
/** Letters of other scripts take more room in Punycode; longer than this no spelling of a domain is. */
const LONGEST_SPELLING = 1_000
/** Of addresses, not of domains. */
const OF_ADDRESSES = /[/:@?#[\]\\\s]/
const PROBLEM = 'must be a domain without https://, port or path, such as shop.example.com'

/** A domain in the one form in which it is stored: lower case, in Punycode, without a dot at the end. */
const schema = z
  .string()
  .max(LONGEST_SPELLING, `is too long (maximum is ${LONGEST} characters)`)
  .transform((given) => {
    const named = given.trim().replace(/\.$/, '')
    return OF_ADDRESSES.test(named) ? named : domainToASCII(named)
  })
  .refine((domain) => domain.length <= LONGEST && HOST.test(domain), PROBLEM)

/** A domain, in any case and script; stored in lower case and Punycode. */
export function domainName(description: string, example: string) {
  return field<string>('string', schema, description, { example, json: { type: 'string', maxLength: LONGEST } })
}
