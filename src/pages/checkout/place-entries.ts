import { z } from 'zod'
import type { FieldErrors } from '../../contract/declarations/errors.ts'
import { countrySchema, regionSchema, vatIdSchema } from '../../contract/declarations/place.ts'
import type { GivenPlace } from '../../resources/sales/checkout/at_place.ts'

const SCHEMAS = { country: countrySchema, region: regionSchema, vat_id: vatIdSchema }

/** Where a buyer says to be taxed, and what of it cannot be read. What is absent or empty is not given. */
export function readPlace(given: Record<keyof GivenPlace, string | null>): { place: GivenPlace; errors: FieldErrors } {
  const place: GivenPlace = {}
  const errors: FieldErrors = {}
  for (const part of ['country', 'region', 'vat_id'] as const) {
    const text = given[part]?.trim()
    if (!text) continue
    const read = z.safeParse(SCHEMAS[part], text)
    if (read.success) place[part] = read.data
    else errors[part] = [read.error.issues[0]?.message ?? 'cannot be read']
  }
  return { place, errors }
}

const PART = /^([A-Z]{2})(?:-([A-Z]{2}))?$/

/** The one choice of a list that names countries, some by their regions: `DE`, or `US-CA`. */
export function placeChosen(choice: string): { country: string; region: string | null } | null {
  const [, country, region] = PART.exec(choice) ?? []
  return country === undefined ? null : { country, region: region ?? null }
}
