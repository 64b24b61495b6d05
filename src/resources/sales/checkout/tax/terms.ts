import type { TaxRate } from '../../../../contract/declarations/tax-rate.ts'

/** What decides the tax of a sale, copied when the buyer's country is given. */
export interface TaxTerms {
  /** All rates of the buyer's country and region; which of them apply depends on the product. */
  rates: TaxRate[]
  /** The buyer is a business of another country, and owes the tax itself. */
  reverse_charge: boolean
}

/** Where a buyer is taxed, as buyers and the API give it. */
export interface TaxPlace {
  country: string | null
  region: string | null
  vat_id: string | null
}

export const NO_PLACE: TaxPlace = { country: null, region: null, vat_id: null }

/** The place of a row that has one among other things. */
export function placeOf({ country, region, vat_id }: TaxPlace): TaxPlace {
  return { country, region, vat_id }
}
