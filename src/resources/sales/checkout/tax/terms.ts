import type { TaxRate } from '../../../../contract/declarations/tax-rate.ts'

/** The terms that determine the tax of a sale, copied from the account when the buyer's country is given. */
export interface TaxTerms {
  /** All rates of the buyer's country and region; the tax code of the product selects among them. */
  rates: TaxRate[]
  /** True if the buyer is a business in another country and owes the tax itself. */
  reverse_charge: boolean
}

/** The buyer's location and VAT id, which determine the tax. */
export interface TaxPlace {
  country: string | null
  region: string | null
  vat_id: string | null
}

export const NO_PLACE: TaxPlace = { country: null, region: null, vat_id: null }

export function placeOf({ country, region, vat_id }: TaxPlace): TaxPlace {
  return { country, region, vat_id }
}
