import { placeName, REVERSE_CHARGE } from '../../../../format/tax.ts'
import type { Fact } from './letter.ts'

/** The tax data of a bill other than its rows. */
export interface TaxFacts {
  country: string
  region: string | null
  vatId: string | null
  /** The VAT id of the shop. */
  shopVatId: string | null
  reverseCharge: boolean
}

/** Returns where a sale was taxed and the VAT ids of both sides, or nothing when no tax was determined. */
export function taxFacts(tax: TaxFacts | null): Fact[] {
  if (tax === null) return []
  const { vatId, shopVatId, reverseCharge } = tax
  return [
    { label: 'Taxed in', value: placeName(tax) },
    ...(vatId === null ? [] : [{ label: 'Your VAT ID', value: vatId }]),
    ...(shopVatId === null ? [] : [{ label: 'Our VAT ID', value: shopVatId }]),
    ...(reverseCharge ? [{ label: 'Tax', value: REVERSE_CHARGE }] : []),
  ]
}
