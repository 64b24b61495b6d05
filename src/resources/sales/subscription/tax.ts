import type { Context } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { termsAt } from '../checkout/tax/given.ts'
import { placeOf, type TaxPlace, type TaxTerms } from '../checkout/tax/terms.ts'
import type { SubscriptionRow } from './subscription.ts'

/**
 * Returns the tax terms of the next period, at the current rates. Unless tax was added to the price at the sale, the price
 * includes the tax, so that a higher rate does not raise it.
 */
export async function taxOfNext(context: Context, subscription: SubscriptionRow): Promise<TaxTerms | null> {
  const tax = await termsAt(context, placeOf(subscription))
  const inclusive = subscription.terms.tax_added !== true
  return tax && { ...tax, rates: tax.rates.map((rate) => ({ ...rate, inclusive })) }
}

/** Sets the tax location of all subscriptions of the customer, from their next periods on. */
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
