import { isUser } from '../../../contract/caller.ts'
import type { Row } from '../../../contract/noun.ts'
import type { Context } from '../../../records/context.ts'
import type { PriceVariant } from '../../catalog/price_variant/price_variant.ts'
import type { Checkout } from '../../sales/checkout/checkout.ts'
import type { Line } from '../../sales/checkout/line.ts'
import { openCheckout } from '../../sales/checkout/open.ts'
import { price as priced } from '../../sales/checkout/price.ts'
import { currentUser } from '../user/current.ts'

interface Payable {
  id: string
  state: string
  amount: number
  currency: string
  price: Row<typeof PriceVariant>
}

/** Opens the checkout that pays a formation. Whoever asks for it is taken for the buyer, unless the page is given another address. */
export async function openPayment(context: Context, formation: Payable): Promise<Row<typeof Checkout>> {
  const email = isUser(context.caller) ? (await currentUser(context)).email : null
  return openCheckout(context, {
    priced: priced([lineOf(formation)], null),
    email,
    customer: null,
    values: { formation: formation.id },
  })
}

function lineOf({ state, amount, currency, price }: Payable): Line {
  return {
    price_variant: price.id,
    product: price.product,
    product_name: `Company formation in ${state}`,
    price_variant_name: price.name,
    quantity: 1,
    unit_amount: amount,
    currency,
    custom: null,
    recurring: null,
    revoke_after_days: null,
  }
}
