import { placeName, REVERSE_CHARGE } from '../../../../words/tax.ts'
import type { Fact } from './letter.ts'

/** What a bill says of tax besides its rows. */
export interface TaxFacts {
  country: string
  region: string | null
  vatId: string | null
  /** Of the shop. */
  shopVatId: string | null
  reverseCharge: boolean
}

/** Where a sale was taxed, and who of both is known to the tax authorities; nothing where tax was not asked. */
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
