import type { Context } from '../../../records/context.ts'
import { updateRowsOf } from '../../../records/rows-of.ts'
import type { TaxPlace } from '../checkout/tax/terms.ts'

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
