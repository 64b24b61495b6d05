import type { BuyerCaller } from '../../src/contract/declarations/caller.ts'
import { requireRow } from '../../src/records/records.ts'
import { Checkout } from '../../src/resources/sales/checkout/checkout.ts'
import { type Paying, payCheckout } from '../../src/resources/sales/checkout/pay.ts'
import { SALE_EVENTS } from '../../src/resources/sales/payment/events.ts'
import type { RunningApp } from './app.ts'
import { nextNumber } from './numbers.ts'
import type { Body, Shop } from './shop.ts'

type Values = Record<string, unknown>

/** A test card that is always declined. */
export const DECLINED = '4000000000000002'

/** Creates a price of a product that is for sale. */
export async function priceForSale(shop: Shop, values: Values = {}, product: Values = {}): Promise<Body> {
  const { id } = await shop.product({ status: 'active', ...product })
  return shop.price(id, values)
}

/** Pays an open checkout like a buyer on its page, and returns the updated checkout. */
export async function pay(shop: Shop, checkoutId: string, paying: Paying = {}): Promise<Body> {
  await payIn(shop.running, shop.accountId, checkoutId, paying)
  return shop.get(`/checkouts/${checkoutId}`)
}

/** Like `pay`, for a running service without a `Shop`. */
export async function payIn({ app }: Pick<RunningApp, 'app'>, accountId: string, checkoutId: string, paying: Paying) {
  const caller: BuyerCaller = { kind: 'buyer', accountId, checkoutId }
  await app.pipeline.contexts.part(
    app.database,
    caller,
    SALE_EVENTS,
    async (context) => payCheckout(context, await requireRow(context, Checkout, checkoutId), paying),
    { inTurn: true },
  )
}

/** Creates a paid order of some prices. */
export async function sell(
  shop: Shop,
  items: Values[],
  { checkout = {}, paying = {} }: { checkout?: Values; paying?: Paying } = {},
) {
  const email = `buyer-${nextNumber()}@example.com`
  const open = await shop.post('/checkouts', { line_items: items, email, ...checkout })
  const paid = await pay(shop, open.id, paying)
  return shop.get(`/orders/${paid.order}?expand=line_items,charge,customer`)
}
