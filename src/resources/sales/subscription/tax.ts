import type { Context } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { termsAt } from '../checkout/tax/given.ts'
import { placeOf, type TaxPlace, type TaxTerms } from '../checkout/tax/terms.ts'
import type { SubscriptionRow } from './subscription.ts'

/**
 * Returns the tax terms of a period that is charged now, by the current rates for the subscription's country and region. Unless tax was
 * added to the price when it was sold, the price includes the tax, so that no new rate raises the agreed price.
 */
export async function taxOfNext(context: Context, subscription: SubscriptionRow): Promise<TaxTerms | null> {
  const tax = await termsAt(context, placeOf(subscription))
  const inclusive = subscription.terms.tax_added !== true
  return tax && { ...tax, rates: tax.rates.map((rate) => ({ ...rate, inclusive })) }
}

/** Changes the country, region and VAT id by which a customer's subscriptions are taxed, from their next period on. */
export async function taxSubscriptionsAt(
  context: Context,
  customer: string,
  { country, region, vat_id }: TaxPlace,
): Promise<void> {
  await updateRowsOf(context, 'subscriptions')
    .set({ country, region, vat_id })
    .where('customer', '=', customer)
    .where('status', '<>', 'canceled')
    .execute()
}
