import { z } from 'zod'
import { isCountry } from '../../format/countries.ts'
import { field } from './kinds.ts'

const COUNTRY_PROBLEM = 'must be the two letters of a country, like DE (ISO 3166-1)'

/** Accepts a country code in either case and converts it to upper case. */
export const countrySchema = z
  .string()
  .transform((code) => (/^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : code))
  .refine(isCountry, COUNTRY_PROBLEM)

/** Accepts any two letters. A later check decides whether the country has such a state or province. */
export const regionSchema = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine((code) => /^[A-Z]{2}$/.test(code), 'must be the two letters of a US state or a Canadian province, like CA')

export const COUNTRY_UNIT = 'ISO 3166-1'
export const REGION_UNIT = 'ISO 3166-2'

export function country(description: string, example = 'DE') {
  const json = { type: 'string', pattern: '^[A-Z]{2}$' }
  return field<string>('string', countrySchema, description, { example, json, unit: COUNTRY_UNIT })
}

export function region(description: string, example = 'CA') {
  const json = { type: 'string', pattern: '^[A-Z]{2}$' }
  return field<string>('string', regionSchema, description, { example, json, unit: REGION_UNIT })
}

/** Removes blanks, dots and hyphens from a VAT id. A later check compares its format with the country. */
export const vatIdSchema = z
  .string()
  .max(40, 'is too long (maximum is 40 characters)')
  .transform((given) => given.toUpperCase().replace(/[\s.-]/g, ''))
  .refine((given) => /^[A-Z0-9+*]{2,20}$/.test(given), 'must be letters and digits, like DE136695976')

export function vatId(description: string, example = 'DE136695976') {
  const json = { type: 'string', maxLength: 20 }
  return field<string>('string', vatIdSchema, description, { example, json })
}
