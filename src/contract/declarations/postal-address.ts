import { z } from 'zod'
import { nestedPattern, nestedText } from './nested-text.ts'

export const US_STATES = [
  ...['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY'],
  ...['LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH'],
  ...['OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY'],
] as const

const lines = {
  line1: nestedText(200),
  line2: nestedText(200).nullable().default(null),
  city: nestedText(100),
  state: nestedText(100),
  postal_code: nestedText(20),
  country: nestedPattern(
    /^[A-Za-z]{3}$/,
    'must be the three letters of a country, such as USA (ISO 3166-1)',
  ).toUpperCase(),
}
const phone = nestedPattern(/^\+?[0-9][0-9 ().-]{5,24}$/, 'must be a telephone number, such as +1 307 555 0100')

export const postalAddress = z.object(lines).superRefine(checkDomestic)

export const postalAddressWithPhone = z.object({ ...lines, phone }).superRefine(checkDomestic)

function checkDomestic(
  { country, state, postal_code }: { country: string; state: string; postal_code: string },
  context: z.core.$RefinementCtx,
): void {
  if (country !== 'USA') return
  const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (!US_STATES.some((known) => known === state)) refuse('state', 'must be the two letters of a state, such as WY')
  if (!/^\d{5}(-\d{4})?$/.test(postal_code)) refuse('postal_code', 'must be a ZIP code, such as 82001')
}
