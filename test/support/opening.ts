import type { BuyerCaller } from '../../src/contract/declarations/caller.ts'
import type { Noun, Row } from '../../src/contract/declarations/noun.ts'
import type { Context } from '../../src/records/context.ts'
import { requireRow } from '../../src/records/records.ts'
import { PriceVariant } from '../../src/resources/catalog/price-variant/price-variant.ts'
import { openFromInvoice } from '../../src/resources/sales/checkout/create.ts'
import { type Offer, openFromPrice, whatPriceOffers } from '../../src/resources/sales/checkout/offer.ts'
import { CheckoutLink } from '../../src/resources/sales/checkout-link/checkout-link.ts'
import { openFromLink, whatIsOffered } from '../../src/resources/sales/checkout-link/open.ts'
import { Invoice } from '../../src/resources/sales/invoice/invoice.ts'
import { OPENING_EVENTS } from '../../src/resources/sales/payment/events.ts'
import type { Body, Shop } from './shop.ts'

/** Does what a page does for a buyer who is not known yet, in a transaction of its own. */
export function asBuyer<Result>(shop: Shop, work: (context: Context) => Promise<Result>): Promise<Result> {
  const caller: BuyerCaller = { kind: 'buyer', accountId: shop.accountId, checkoutId: 'co_none' }
  const { database, pipeline } = shop.running.app
  return pipeline.contexts.part(database, caller, OPENING_EVENTS, work, { inTurn: true })
}

/** The checkout that a rule opens for a row, as the shop sees it. */
async function opened<N extends Noun>(
  shop: Shop,
  noun: N,
  id: string,
  open: (context: Context, row: Row<N>) => Promise<{ id: string }>,
): Promise<Body> {
  const checkout = await asBuyer(shop, async (context) => open(context, await requireRow(context, noun, id)))
  return shop.get(`/checkouts/${checkout.id}`)
}

export const openLink = (shop: Shop, id: string) => opened(shop, CheckoutLink, id, openFromLink)
export const openInvoice = (shop: Shop, id: string) => opened(shop, Invoice, id, openFromInvoice)
export const openPrice = (shop: Shop, id: string) => opened(shop, PriceVariant, id, openFromPrice)

export const offerOfLink = (shop: Shop, id: string): Promise<Offer> =>
  asBuyer(shop, async (context) => whatIsOffered(context, await requireRow(context, CheckoutLink, id)))
export const offerOfPrice = (shop: Shop, id: string): Promise<Offer> =>
  asBuyer(shop, async (context) => whatPriceOffers(context, await requireRow(context, PriceVariant, id)))
