import type { TaxLine } from '../../../../contract/declarations/tax-line.ts'
import { billTaxes } from '../../../../format/tax.ts'
import type { Context } from '../../../../records/context.ts'
import { currentAccount } from '../../../company/account/current.ts'
import type { TaxFacts } from '../../../messages/email/templates/tax-facts.ts'
import type { TaxPlace } from './terms.ts'

interface TaxedSale extends TaxPlace {
  tax_lines: TaxLine[]
  tax_inclusive: boolean
  reverse_charge: boolean
}

/** Returns the facts about tax for an e-mail about a sale; empty if the buyer's country is not known or nothing is taxed. */
export async function letterTaxes(context: Context, sale: TaxedSale) {
  const { country, region, vat_id: vatId, reverse_charge: reverseCharge } = sale
  if (country === null) return {}
  const { vat_id: shopVatId, tax_rates } = await currentAccount(context)
  if (tax_rates.length === 0 && sale.tax_lines.length === 0) return {}
  const tax: TaxFacts = { country, region, vatId, shopVatId, reverseCharge }
  return { ...billTaxes(sale), tax }
}
