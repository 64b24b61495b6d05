import { missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { type Offer, offerOf, openOffer } from '../checkout/offer.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout-link.ts'

/** Throws a 404 if the link is unknown or inactive. */
export async function requireActiveLink(context: Context, id: string): Promise<CheckoutLinkRow> {
  const link = await requireRow(context, CheckoutLink, id)
  if (!link.active) throw missingResource(CheckoutLink.name)
  return link
}

export function whatIsOffered(context: Context, { price_variants, discount }: CheckoutLinkRow): Promise<Offer> {
  return offerOf(context, price_variants, discount)
}

/** Throws a 404 if the link is inactive, and a 422 that names each problem if no item can be bought. */
export async function openFromLink(context: Context, { id }: CheckoutLinkRow): Promise<CheckoutRow> {
  const link = await requireActiveLink(context, id)
  const { success_url, metadata } = link
  return openOffer(context, await whatIsOffered(context, link), { link: link.id, success_url, metadata })
}
