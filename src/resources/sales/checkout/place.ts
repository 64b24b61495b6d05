import type { FieldErrors } from '../../../contract/declarations/errors.ts'
import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import type { Context } from '../../../records/context.ts'
import { currentAccount } from '../../company/account/current.ts'
import { isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { isEverCharged } from './price.ts'
import { missingFor, missingOfPlace } from './tax/given.ts'
import { placeOf, type TaxPlace } from './tax/terms.ts'
import { hasVatIds } from './tax/vat_id.ts'

type Placed = Pick<
  CheckoutRow,
  'country' | 'region' | 'vat_id' | 'invoice' | 'subscription' | 'formation' | 'total' | 'lines'
>

/**
 * What of the buyer's place is still missing before a checkout can be paid: nothing while the account has no rates, nor where nothing is or will be
 * charged, nor of what was taxed elsewhere.
 */
export async function missingPlace(context: Context, checkout: Placed): Promise<FieldErrors> {
  return isTaxable(checkout) ? missingOfPlace(context, checkout) : {}
}

/** Those checkouts that miss nothing of their buyers' places: what they cost is known. */
export async function placedOf<C extends Placed>(context: Context, checkouts: readonly C[]): Promise<Set<C>> {
  if (checkouts.length === 0) return new Set()
  const { tax_rates } = await currentAccount(context)
  const isPlaced = (checkout: C) => !isTaxable(checkout) || Object.keys(missingFor(tax_rates, checkout)).length === 0
  return new Set(checkouts.filter(isPlaced))
}

function isTaxable(checkout: Placed): boolean {
  if (isSoldAlready(checkout)) return false
  return checkout.total > 0 || isEverCharged(checkout.lines) || checkout.lines.some((line) => line.unit_amount === null)
}

/** What the page asks of a buyer's place, and what it knows. */
export interface AskedPlace extends TaxPlace {
  /** Countries that are taxed by region, so that the region is asked too. */
  byRegion: string[]
  /** A VAT id of this country would exempt the buyer. */
  takesVatId: boolean
}

/** What the page asks; null where tax does not depend on the buyer. */
export async function askedPlace(context: Context, checkout: Placed): Promise<AskedPlace | null> {
  if (!isTaxable(checkout)) return null
  const { tax_rates, country: own } = await currentAccount(context)
  if (tax_rates.length === 0) return null
  const place = placeOf(checkout)
  const byRegion = new Set(tax_rates.filter(({ region }) => region !== null).map(({ country }) => country))
  const takesVatId = own !== null && place.country !== null && place.country !== own && hasVatIds(place.country)
  return { ...place, byRegion: [...byRegion], takesVatId }
}

/** The rates of a checkout that are added to its prices. */
export function addedRatesOf({ tax }: Pick<CheckoutRow, 'tax'>): TaxRate[] {
  return tax && !tax.reverse_charge ? tax.rates.filter(({ inclusive }) => !inclusive) : []
}
