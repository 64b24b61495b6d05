import type { TaxRate } from '../../../../contract/declarations/tax-rate.ts'

/** The terms that determine the tax of a sale, copied when the buyer's country is given. */
export interface TaxTerms {
  /** All rates of the buyer's country and region; the product decides which ones apply. */
  rates: TaxRate[]
  /** The buyer is a business in another country and owes the tax itself. */
  reverse_charge: boolean
}

/** The place where a buyer is taxed, as given by buyers and the API. */
export interface TaxPlace {
  country: string | null
  region: string | null
  vat_id: string | null
}

export const NO_PLACE: TaxPlace = { country: null, region: null, vat_id: null }

/** Picks the tax place from a row. */
export function placeOf({ country, region, vat_id }: TaxPlace): TaxPlace {
  return { country, region, vat_id }
}
