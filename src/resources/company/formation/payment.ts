import { isUser } from '../../../contract/declarations/caller.ts'
import { regionName } from '../../../format/regions.ts'
import type { Context } from '../../../records/context.ts'
import type { CheckoutRow } from '../../sales/checkout/checkout.ts'
import { type Line, NOT_FROM_CATALOG } from '../../sales/checkout/line.ts'
import { openCheckout } from '../../sales/checkout/open.ts'
import { price as priced } from '../../sales/checkout/price.ts'
import { currentUser } from '../user/current.ts'

interface PayableFormation {
  id: string
  state: string
  amount: number
  currency: string
}

/** Opens the checkout for the service's fee. The e-mail address is the caller's, and the buyer can change it in the checkout. */
export async function openPayment(context: Context, formation: PayableFormation): Promise<CheckoutRow> {
  const email = isUser(context.caller) ? (await currentUser(context)).email : null
  return openCheckout(context, {
    priced: priced([lineOf(formation)], null, null),
    email,
    customer: null,
    values: { formation: formation.id },
  })
}

/** The service sells this line item, so the item has no product or price of the account. */
function lineOf({ state, amount, currency }: PayableFormation): Line {
  return {
    price_variant: NOT_FROM_CATALOG,
    product: NOT_FROM_CATALOG,
    product_name: `Company formation in ${regionName('US', state) ?? state}`,
    price_variant_name: 'Default',
    quantity: 1,
    unit_amount: amount,
    currency,
    custom: null,
    recurring: null,
    revoke_after_days: null,
  }
}
