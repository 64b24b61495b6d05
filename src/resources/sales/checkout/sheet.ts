import type { TaxLine } from '../../../contract/declarations/tax-line.ts'
import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import type { TestCard } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { picturesOf } from '../../catalog/product/show.ts'
import { Account } from '../../company/account/account.ts'
import { brandOf } from '../../company/account/brand.ts'
import { allowsDiscountCodes } from '../checkout-link/items.ts'
import { Invoice } from '../invoice/invoice.ts'
import { NO_CARDS, processorOf, takesNoCards, takesTestCards } from '../payment/provider.ts'
import { type Upcoming, upcomingOf } from '../subscription/period.ts'
import { Subscription } from '../subscription/subscription.ts'
import { type DiscountTerms, discountTermsOf } from '../subscription/terms.ts'
import { asksAmount, isBuyersCart, isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { isFee } from './close.ts'
import { whyNotUsable } from './discounts.ts'
import type { draftOf } from './draft.ts'
import type { PricedLine } from './line.ts'
import { whyNotOffered } from './lines.ts'
import { type AskedPlace, addedRatesOf, askedPlace } from './place.ts'
import { isEverCharged, price, pricedFields } from './price.ts'
import { agreementOf } from './progress.ts'
import { soldBy } from './sold-by.ts'
import { isCharged, takesTestCard } from './test-card.ts'

/** A stored checkout, or a draft of one that is not stored yet. */
export type Cart = Pick<CheckoutRow, keyof ReturnType<typeof draftOf>>

export interface ShownDiscount extends DiscountTerms {
  code: string
}

export interface SheetItem {
  line: PricedLine
  /** The reason why the item cannot be bought, in words that follow the item's name; null if it can. */
  problem: string | null
  /** The URL of the product's picture; null if there is none. */
  picture: string | null
  changesQuantity: boolean
  asksAmount: boolean
}

/** Everything that a buyer sees of a cart before paying. By paying, the buyer agrees to all of it except the fields in `Aside`. */
export interface Sheet {
  shop: { name: string; email: string | null }
  /** True if the operator of this service charges the cart as a fee, instead of the shop. */
  fee: boolean
  /** True if no real money is taken. */
  test: boolean
  cards: readonly TestCard[]
  takesCard: boolean
  /** The reason why the cart cannot be paid now, in words for the buyer; null if it can. */
  closed: string | null
  /** True if the buyer is charged again later, or may be. */
  recurring: boolean
  now: string
  currency: string
  subtotal: number
  amount_discount: number
  total: number
  items: SheetItem[]
  tax_lines: TaxLine[]
  tax_inclusive: boolean
  reverse_charge: boolean
  /** Tax rates that prices do not include; they apply to later payments of a subscription too. */
  addedRates: TaxRate[]
  place: AskedPlace | null
  discount: ShownDiscount | null
  invoice: { number: string; description: string | null; due_at: string } | null
  /** The overdue subscription period that this checkout pays for, if any. */
  renewal: Upcoming | null
  /** A discount code that was applied but can no longer be used, with the reason; null if there is none. */
  lostCode: { code: string; problem: string } | null
  takesCodes: boolean
  /** Hash of the order as shown; the page sends it with the payment. */
  agreement: string
}

/** The name of the seller that buyers see when they pay a fee. */
const THE_SERVICE = { name: 'Shopwright', email: null }

/**
 * The fields that the buyer does not agree to: items are checked on payment, and included tax changes nothing for the buyer. Every other
 * field, also a new one, is part of the agreement.
 */
type Aside = 'closed' | 'now' | 'cards' | 'lostCode' | 'agreement' | 'items' | 'place' | 'tax_lines' | 'tax_inclusive'
type AgreedSheet = Omit<Sheet, Aside> & { items: Omit<SheetItem, 'problem' | 'picture'>[] }

/** Returns the sheet of an open checkout with the current discount and availability; stores nothing. */
export async function sheetOf(context: Context, stored: Cart): Promise<Sheet> {
  const { checkout, discount, lostCode } = await priced(context, stored)
  const { currency, subtotal, amount_discount, total, lines, tax_lines, reverse_charge } = checkout
  const [problems, { now, cards, ...frame }, renewal, invoice, takesCodes, place, pictures] = await Promise.all([
    problemsOf(context, checkout),
    frameOf(context),
    renewalOf(context, checkout),
    billOf(context, checkout),
    allowsDiscountCodes(context, checkout),
    askedPlace(context, checkout),
    picturesOf(
      context,
      lines.map(({ product }) => product),
    ),
  ])
  const agreed: AgreedSheet = {
    ...frame,
    ...(isFee(checkout) && { shop: THE_SERVICE }),
    fee: isFee(checkout),
    ...{ currency, subtotal, amount_discount, total, reverse_charge },
    addedRates: addedRatesOf(checkout),
    discount: renewal
      ? discountOf(renewal, checkout)
      : discount && { ...discountTermsOf(discount), code: discount.code },
    renewal,
    invoice,
    items: lines.map((line) => ({
      line,
      changesQuantity: isBuyersCart(checkout),
      asksAmount: asksAmount(checkout, line),
    })),
    takesCard: await takesTestCard(context, checkout),
    recurring: isEverCharged(lines) && renewal?.instalments?.left !== 1,
    takesCodes,
  }
  const items = agreed.items.map((item) => ({
    ...item,
    problem: problems.get(item.line.price_variant) ?? null,
    picture: pictures.get(item.line.product) ?? null,
  }))
  const { tax_inclusive } = checkout
  return {
    ...agreed,
    items,
    closed: isCharged(checkout) && (await takesNoCards(context, checkout)) ? NO_CARDS : null,
    now,
    cards,
    lostCode,
    place,
    tax_lines,
    tax_inclusive,
    agreement: agreementOf(withoutTax(agreed)),
  }
}

/** Removes the tax from each line, because the buyer agrees to the cost of a line and not to its share of tax. */
function withoutTax(agreed: AgreedSheet): object {
  const items = agreed.items.map(({ line: { amount_tax: _tax, tax_code: _code, ...line }, ...item }) => ({
    ...item,
    line,
  }))
  return { ...agreed, items }
}

async function billOf(context: Context, { invoice }: Cart): Promise<Sheet['invoice']> {
  if (invoice === null) return null
  const { number, description, due_at } = await requireRow(context, Invoice, invoice)
  return { number, description, due_at }
}

async function renewalOf(context: Context, { status, subscription }: Cart): Promise<Upcoming | null> {
  if (status !== 'open' || subscription === null) return null
  return upcomingOf(await requireRow(context, Subscription, subscription), context.now)
}

/** Uses the terms agreed for the subscription, even if the discount has changed since. */
function discountOf({ discount }: Upcoming, { discount_code: code }: Cart): ShownDiscount | null {
  return discount && code !== null ? { ...discount, code } : null
}

export async function frameOf(context: Context) {
  const account = await requireRow(context, Account, context.accountId)
  const { name, support_email: email } = account
  const { test } = context.services.payments
  return {
    shop: { name, email, brand: await brandOf(context, account) },
    test: await takesTestCards(context),
    cards: test.cards,
    now: context.now,
  }
}

/** Applies the discount as `reprice` does: on its current terms, or not at all if it can no longer be used. */
async function priced(context: Context, stored: Cart) {
  const discount = stored.discount === null ? null : ((await findRow(context, Discount, stored.discount)) ?? null)
  if (stored.discount === null || !isChangeable(stored)) return { checkout: stored, discount, lostCode: null }
  if (isSoldAlready(stored)) return { checkout: stored, discount, lostCode: null }
  const problem = discount ? whyNotUsable(discount, stored.lines, context.now) : 'no longer exists'
  const kept = problem === null ? discount : null
  const processor = await processorOf(context, stored)
  const checkout = { ...stored, ...pricedFields(price(stored.lines, kept, stored.tax), processor) }
  const lostCode = problem === null ? null : { code: stored.discount_code ?? '', problem }
  return { checkout, discount: kept, lostCode }
}

/** Returns the reasons why lines cannot be bought now, by price id. */
async function problemsOf(context: Context, checkout: Cart) {
  const { lines } = checkout
  const problems = new Map<string, string>()
  if (!isChangeable(checkout) || isSoldAlready(checkout)) return problems
  const [variants, products] = await soldBy(context, lines)
  for (const { price_variant, product, quantity } of lines) {
    const [variant, sold] = [variants.get(price_variant), products.get(product)]
    const problem = variant && sold ? whyNotOffered(variant, sold, quantity, context.now) : 'is not for sale'
    if (problem !== null) problems.set(price_variant, problem)
  }
  return problems
}

function isChangeable({ status, paying }: Cart): boolean {
  return status === 'open' && paying === null
}
