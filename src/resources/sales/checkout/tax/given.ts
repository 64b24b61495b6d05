import { type FieldErrors, invalid } from '../../../../contract/declarations/errors.ts'
import type { TaxRate } from '../../../../contract/declarations/tax-rate.ts'
import { countryName } from '../../../../format/countries.ts'
import { regionName } from '../../../../format/regions.ts'
import type { Context } from '../../../../records/context.ts'
import { currentAccount } from '../../../company/account/current.ts'
import type { TaxPlace, TaxTerms } from './terms.ts'
import { vatIdProblem } from './vat-id.ts'

/** Returns the tax location after a change; a new country clears region and VAT id. Throws a 422 if the result is invalid. */
export function changedPlace(
  before: TaxPlace,
  given: { [Part in keyof TaxPlace]?: TaxPlace[Part] | undefined },
): TaxPlace {
  const moved = given.country !== undefined && given.country !== before.country
  const kept = moved ? { region: null, vat_id: null } : before
  const { country = before.country, region = kept.region, vat_id = kept.vat_id } = given
  const place = { country, region, vat_id }
  const problems = placeProblems(place)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return place
}

function placeProblems({ country, region, vat_id }: TaxPlace): FieldErrors {
  const errors: FieldErrors = {}
  if (country === null) {
    if (region !== null) errors.region = ['needs a country']
    if (vat_id !== null) errors.vat_id = ['needs a country']
    return errors
  }
  if (region !== null && regionName(country, region) === null)
    errors.region = [`is not known of ${countryName(country)}; only US states and Canadian provinces are`]
  const problem = vat_id === null ? null : vatIdProblem(country, vat_id)
  if (problem !== null) errors.vat_id = [problem]
  return errors
}

export function isSamePlace(one: TaxPlace, other: TaxPlace): boolean {
  return one.country === other.country && one.region === other.region && one.vat_id === other.vat_id
}

/** Returns null if the buyer's country is not known. */
export async function termsAt(context: Context, { country, region, vat_id }: TaxPlace): Promise<TaxTerms | null> {
  if (country === null) return null
  const { tax_rates, country: own } = await currentAccount(context)
  const rates = tax_rates.filter((rate) => rate.country === country && (rate.region ?? region) === region)
  const reverse_charge = tax_rates.length > 0 && vat_id !== null && own !== null && own !== country
  return { rates, reverse_charge }
}

/** Returns an error for each part of the buyer's location that is missing but determines the tax. */
export async function missingOfPlace(context: Context, place: TaxPlace): Promise<FieldErrors> {
  return missingFor((await currentAccount(context)).tax_rates, place)
}

/** Like `missingOfPlace`, but for tax rates that the caller has read. */
export function missingFor(rates: readonly TaxRate[], { country, region }: TaxPlace): FieldErrors {
  if (rates.length === 0) return {}
  if (country === null) return { country: ["can't be blank"] }
  const byRegion = rates.some((rate) => rate.country === country && rate.region !== null)
  return byRegion && region === null ? { region: ["can't be blank"] } : {}
}
