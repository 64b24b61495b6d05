import type { FieldErrors } from '../../../contract/declarations/errors.ts'
import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import type { Context } from '../../../records/context.ts'
import { currentAccount } from '../../company/account/current.ts'
import { isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { isEverCharged } from './price.ts'
import { missingFor, missingOfPlace } from './tax/given.ts'
import { placeOf, type TaxPlace } from './tax/terms.ts'
import { hasVatIds } from './tax/vat-id.ts'

type TaxableCheckout = Pick<
  CheckoutRow,
  'country' | 'region' | 'vat_id' | 'invoice' | 'subscription' | 'formation' | 'total' | 'lines'
>

/** Returns an error for each missing tax field; none if there are no tax rates, nothing is charged, or the tax is fixed already. */
export async function missingPlace(context: Context, checkout: TaxableCheckout): Promise<FieldErrors> {
  return isTaxable(checkout) ? missingOfPlace(context, checkout) : {}
}

/** Returns the checkouts whose total is final, because the country and region that determine the tax are known. */
export async function placedOf<C extends TaxableCheckout>(context: Context, checkouts: readonly C[]): Promise<Set<C>> {
  if (checkouts.length === 0) return new Set()
  const { tax_rates } = await currentAccount(context)
  const isPlaced = (checkout: C) => !isTaxable(checkout) || Object.keys(missingFor(tax_rates, checkout)).length === 0
  return new Set(checkouts.filter(isPlaced))
}

function isTaxable(checkout: TaxableCheckout): boolean {
  if (isSoldAlready(checkout)) return false
  return checkout.total > 0 || isEverCharged(checkout.lines) || checkout.lines.some((line) => line.unit_amount === null)
}

/** The buyer's tax location as far as it is known, and the fields that the page asks for. */
export interface AskedPlace extends TaxPlace {
  /** The countries for which the page asks for the region too. */
  byRegion: string[]
  /** True if a VAT id of the chosen country would exempt the buyer from the tax. */
  takesVatId: boolean
}

/** Returns the location fields that the checkout page shows, or null if the tax does not depend on the buyer. */
export async function askedPlace(context: Context, checkout: TaxableCheckout): Promise<AskedPlace | null> {
  if (!isTaxable(checkout)) return null
  const { tax_rates, country: own } = await currentAccount(context)
  if (tax_rates.length === 0) return null
  const place = placeOf(checkout)
  const byRegion = new Set(tax_rates.filter(({ region }) => region !== null).map(({ country }) => country))
  const takesVatId = own !== null && place.country !== null && place.country !== own && hasVatIds(place.country)
  return { ...place, byRegion: [...byRegion], takesVatId }
}

/** Returns the tax rates that the checkout's prices do not include. */
export function addedRatesOf({ tax }: Pick<CheckoutRow, 'tax'>): TaxRate[] {
  return tax && !tax.reverse_charge ? tax.rates.filter(({ inclusive }) => !inclusive) : []
}
