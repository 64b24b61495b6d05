import type { Context } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import { termsAt } from '../checkout/tax/given.ts'
import { placeOf, type TaxPlace, type TaxTerms } from '../checkout/tax/terms.ts'
import type { SubscriptionRow } from './subscription.ts'

/**
 * The tax of a period that is charged now: by the rates of this day, where the subscription is taxed. A price that was not sold with tax on top
 * includes it whatever the rates say, so that no later rate raises what was agreed.
 */
export async function taxOfNext(context: Context, subscription: SubscriptionRow): Promise<TaxTerms | null> {
  const tax = await termsAt(context, placeOf(subscription))
  const inclusive = subscription.terms.tax_added !== true
  return tax && { ...tax, rates: tax.rates.map((rate) => ({ ...rate, inclusive })) }
}

/** A customer who moves is taxed at the new place from the next period on. */
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
