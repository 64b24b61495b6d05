import { missingResource } from '../../../contract/declarations/errors.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import type { CheckoutRow } from '../checkout/checkout.ts'
import { type Offer, offerOf, openOffer } from '../checkout/offer.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout_link.ts'

/** A link that buyers may open. Throws a 404 when there is none of the id, or when it is inactive. */
export async function requireActiveLink(context: Context, id: string): Promise<CheckoutLinkRow> {
  const link = await requireRow(context, CheckoutLink, id)
  if (!link.active) throw missingResource(CheckoutLink.name)
  return link
}

/** What a link sells now: its prices with what is wrong with them, the total, and a code that can no longer be used. */
export function whatIsOffered(context: Context, { price_variants, discount }: CheckoutLinkRow): Promise<Offer> {
  return offerOf(context, price_variants, discount)
}

/**
 * Opens the checkout of a buyer who came by a link. Throws a 404 when the link is inactive, and a 422 that names each
 * problem when nothing of it can be bought.
 */
export async function openFromLink(context: Context, { id }: CheckoutLinkRow): Promise<CheckoutRow> {
  const link = await requireActiveLink(context, id)
  const { success_url, metadata } = link
  return openOffer(context, await whatIsOffered(context, link), { link: link.id, success_url, metadata })
}
