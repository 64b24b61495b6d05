import type { Field } from '../../../contract/declarations/field.ts'
import { COUNTRY_UNIT, REGION_UNIT } from '../../../contract/declarations/place.ts'
import { currencies } from '../../../contract/values/values.ts'
import { countriesByName, countryName } from '../../../format/countries.ts'
import { currencyCode } from '../../../format/money.ts'
import { regionsOf } from '../../../format/regions.ts'
import { lazy } from '../../../runtime/lazy.ts'
import { kindOf } from '../kit/fields.ts'
import type { DashboardContext } from '../kit/visit.ts'

type ValueOption = [value: string, words: string]

/** The most common product tax codes, as tax authorities and payment providers define them. */
const TAX_CODES: ValueOption[] = [
  ['txcd_10000000', 'Electronically supplied services'],
  ['txcd_10302000', 'Digital books'],
  ['txcd_10103000', 'Software as a service'],
  ['txcd_10202000', 'Downloaded software'],
  ['txcd_20030000', 'Services'],
  ['txcd_99999999', 'Physical goods'],
  ['txcd_00000000', 'Not taxable'],
]

const currencyNames = lazy(() => new Intl.DisplayNames('en', { type: 'currency' }))

const namedCurrencies = lazy(() => [...currencies].sort().map((code): ValueOption => [code, wordsOf(code)]))

function wordsOf(code: string): string {
  const written = currencyCode(code)
  const name = currencyNames().of(written)
  return name === undefined || name === written ? written : `${written} – ${name}`
}

function currencyOffers({ account }: DashboardContext): ValueOption[] {
  const own = account.default_currency
  return [[own, wordsOf(own)], ...namedCurrencies().filter(([code]) => code !== own)]
}

function countryOffers(): ValueOption[] {
  return countriesByName().map(({ code, name }) => [code, name])
}

/** Returns US states and Canadian provinces in one list, because their codes do not overlap. */
function regionOffers(): ValueOption[] {
  return ['US', 'CA'].flatMap((country) =>
    regionsOf(country).map(({ code, name }): ValueOption => [code, `${countryName(country)}: ${name}`]),
  )
}

const OFFERS = {
  currency: currencyOffers,
  country: countryOffers,
  region: regionOffers,
  tax_code: () => TAX_CODES,
  timezone: () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')]),
} satisfies Record<string, (visit: DashboardContext) => ValueOption[]>

/** Returns named options for a part of a list's entries, such as `tax_rates.country`, or null for other parts. */
export function knownInList(path: string): ValueOption[] | null {
  if (path === 'tax_rates.country') return countryOffers()
  return path === 'tax_rates.region' ? regionOffers() : null
}

/** Returns named options for a field such as a country or time zone, or null for other fields. */
export function knownValues(visit: DashboardContext, name: string, field: Field): ValueOption[] | null {
  const known = knownKind(name, field)
  return known && OFFERS[known](visit)
}

export function isChosen(name: string, field: Field): boolean {
  return kindOf(field.spec) === 'choice' || knownKind(name, field) !== null
}

function knownKind(name: string, { spec: { unit } }: Field): keyof typeof OFFERS | null {
  if (unit === 'lower-case ISO 4217') return 'currency'
  if (unit === COUNTRY_UNIT) return 'country'
  if (unit === REGION_UNIT) return 'region'
  return name === 'tax_code' || name === 'timezone' ? name : null
}
