import { z } from 'zod'
import type { FieldErrors } from '../../contract/declarations/errors.ts'
import { countrySchema, regionSchema, vatIdSchema } from '../../contract/declarations/place.ts'
import { normalizeEmail } from '../../contract/values/email.ts'
import { readAmount } from '../../format/money-input.ts'
import type { Buying } from '../../resources/sales/checkout/buy.ts'
import type { Sheet } from '../../resources/sales/checkout/sheet.ts'
import type { GivenPlace } from '../../resources/sales/checkout/update.ts'

const SCHEMAS = { country: countrySchema, region: regionSchema, vat_id: vatIdSchema }

const COUNTRY_AND_REGION = /^([A-Z]{2})(?:-([A-Z]{2}))?$/

const MAX_NAME = 200
const MAX_CODE = 50

/** The typed values that the form shows again. A card number is never among them. */
export interface TypedValues {
  email?: string
  name?: string
  code?: string
  /** The country, with the region if tax depends on it: `DE` or `US-CA`. */
  place?: string
  vatId?: string
  quantities: Record<string, string>
  amounts: Record<string, string>
}

export const NOTHING_TYPED: TypedValues = { quantities: {}, amounts: {} }

export interface FormEntries {
  typed: TypedValues
  buying: Buying
  errors: FieldErrors
}

export function entriesOf(
  form: URLSearchParams,
  { items, currency, place: known }: Pick<Sheet, 'items' | 'currency' | 'place'>,
): FormEntries {
  const [quantities, amounts] = [valuesOf(form, 'quantity'), valuesOf(form, 'amount')]
  const [email, name, code] = ['email', 'name', 'code'].map((field) => form.get(field)?.trim())
  const errors: FieldErrors = {}
  const buying: Buying = { quantities: {}, amounts: {} }
  for (const { line } of items) {
    readLine(line.price_variant, { quantities, amounts, currency }, buying, errors)
  }
  if (email) readEmail(email, buying, errors)
  if (name && name.length > MAX_NAME) errors.name = [`is too long (maximum is ${MAX_NAME} characters)`]
  if (name) buying.name = name
  if (code && code.length > MAX_CODE) errors.discount_code = ['is not valid']
  else if (code) buying.discount_code = code
  const place = form.get('place')?.trim()
  const vatId = belongsToFormerCountry(form.get('vat_id'), place, known) ? undefined : form.get('vat_id')?.trim()
  readPlaceEntry({ place, vatId }, buying, errors)
  const card = form.get('card')?.trim()
  if (card) buying.card = card
  buying.agreed = form.get('agreed') ?? ''
  return { typed: { ...withoutUndefined({ email, name, code, place, vatId }), quantities, amounts }, buying, errors }
}

interface TypedLines {
  quantities: Record<string, string>
  amounts: Record<string, string>
  currency: string
}

/** Returns errors for all fields that the payment still lacks, so that one response reports them together. */
export function missingOf({ buying, typed }: FormEntries, sheet: Sheet, known: string | null): FieldErrors {
  const missing: FieldErrors = {}
  const blank = ["can't be blank"]
  if (typed.email === '' || (typed.email === undefined && known === null)) missing.email = blank
  if (sheet.takesCard && buying.card === undefined) missing.card = blank
  if (sheet.place !== null && sheet.place.country === null && !buying.country) missing.country = blank
  const { amounts = {} } = buying
  if (sheet.items.some(({ line }) => line.unit_amount === null && amounts[line.price_variant] === undefined))
    missing.amount = blank
  return missing
}

/** Returns whether the VAT id in the form is that of the stored country, while the buyer has just chosen another country. */
function belongsToFormerCountry(vatId: string | null, place: string | undefined, known: Sheet['place']): boolean {
  const chosen = chosenPlace(place ?? '')
  return known?.vat_id != null && chosen !== null && chosen.country !== known.country && vatId?.trim() === known.vat_id
}

/** Parses the country, region and VAT id. An empty VAT id removes the stored one. */
function readPlaceEntry(given: Pick<TypedValues, 'place' | 'vatId'>, buying: Buying, errors: FieldErrors): void {
  const chosen = chosenPlace(given.place ?? '')
  if (chosen === null) return
  const { place, errors: unread } = readPlace({ ...chosen, vat_id: given.vatId ?? null })
  Object.assign(errors, unread)
  Object.assign(buying, { ...place, region: place.region ?? null }, given.vatId === '' && { vat_id: null })
}

function readLine(
  id: string,
  { quantities, amounts, currency }: TypedLines,
  buying: Buying,
  errors: FieldErrors,
): void {
  const [quantity, amount] = [quantities[id], amounts[id]]
  if (quantity !== undefined) {
    if (/^\d{1,6}$/.test(quantity)) buying.quantities = { ...buying.quantities, [id]: Number(quantity) }
    else errors[`quantity.${id}`] = ['must be a whole number']
  }
  if (amount !== undefined) {
    const read = readAmount(amount, currency)
    if (read === null) errors[`amount.${id}`] = ['must be an amount']
    else buying.amounts = { ...buying.amounts, [id]: read }
  }
}

function readEmail(text: string, buying: Buying, errors: FieldErrors): void {
  const { address, problem } = normalizeEmail(text)
  if (problem === null) buying.email = address
  else errors.email = [problem]
}

function valuesOf(form: URLSearchParams, name: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null)
  for (const [field, value] of form) {
    const key = field.startsWith(`${name}[`) && field.endsWith(']') ? field.slice(name.length + 1, -1) : ''
    if (key !== '') values[key] = value.trim()
  }
  return values
}

function withoutUndefined(values: Record<string, string | undefined>): Omit<TypedValues, 'quantities' | 'amounts'> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Parses the place where the buyer is taxed, and collects errors. Empty parts are left out. */
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

/** Parses an option of the list of countries and regions: `DE`, or `US-CA`. */
function chosenPlace(choice: string): { country: string; region: string | null } | null {
  const [, country, region] = COUNTRY_AND_REGION.exec(choice) ?? []
  return country === undefined ? null : { country, region: region ?? null }
}
