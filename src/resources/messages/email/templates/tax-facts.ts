import { placeName, REVERSE_CHARGE } from '../../../../format/tax.ts'
import type { Fact } from './letter.ts'

export interface TaxFacts {
  country: string
  region: string | null
  vatId: string | null
  shopVatId: string | null
  reverseCharge: boolean
}

/** Returns an empty list if no tax was determined. */
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
