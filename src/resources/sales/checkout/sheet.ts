import type { TaxLine } from '../../../contract/declarations/tax-line.ts'
import type { TaxRate } from '../../../contract/declarations/tax-rate.ts'
import type { TestCard } from '../../../outside/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { findRow, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { picturesOf } from '../../catalog/product/show.ts'
import { Account } from '../../company/account/account.ts'
import { brandOf } from '../../company/account/brand.ts'
import { allowsDiscountCodes } from '../checkout_link/items.ts'
import { Invoice } from '../invoice/invoice.ts'
import { NO_CARDS, processorOf, takesNoCards, takesTestCards } from '../payment/provider.ts'
import { type Upcoming, upcomingOf } from '../subscription/period.ts'
import { Subscription } from '../subscription/subscription.ts'
import { type DiscountTerms, discountTermsOf } from '../subscription/terms.ts'
import { asksAmount, isBuyersCart, isSoldAlready } from './cart.ts'
import type { CheckoutRow } from './checkout.ts'
import { whyNotUsable } from './discounts.ts'
import { isFee } from './fee.ts'
import { whyNotOffered } from './for_sale.ts'
import type { PricedLine } from './line.ts'
import { type AskedPlace, addedRatesOf, askedPlace } from './place.ts'
import { isEverCharged, price, pricedFields } from './price.ts'
import { agreementOf } from './second_step.ts'
import { soldBy } from './sold_by.ts'
import { isCharged, takesTestCard } from './test_card.ts'

/** A checkout, or what one would be that is not opened yet. */
export type Cart = Pick<
  CheckoutRow,
  | 'status'
  | 'mode'
  | 'paying'
  | 'link'
  | 'invoice'
  | 'subscription'
  | 'formation'
  | 'line_items'
  | 'lines'
  | 'currency'
  | 'subtotal'
  | 'amount_discount'
  | 'amount_tax'
  | 'tax_inclusive'
  | 'tax_lines'
  | 'reverse_charge'
  | 'tax'
  | 'country'
  | 'region'
  | 'vat_id'
  | 'total'
  | 'discount'
  | 'discount_code'
>

export interface ShownDiscount extends DiscountTerms {
  code: string
}

export interface SheetItem {
  line: PricedLine
  /** Why it cannot be bought, in words that follow its name. */
  problem: string | null
  /** Of its product; null where it has none. */
  picture: string | null
  changesQuantity: boolean
  asksAmount: boolean
}

/** What a buyer sees of a cart before paying. All of it but `Aside` is agreed to by paying. */
export interface Sheet {
  shop: { name: string; email: string | null }
  /** The service sells it, not the shop. */
  fee: boolean
  /** No real money is taken. */
  test: boolean
  cards: readonly TestCard[]
  takesCard: boolean
  /** Why nobody can pay it now, in words for the buyer. */
  closed: string | null
  /** More is charged later, or may be. */
  recurring: boolean
  now: string
  currency: string
  subtotal: number
  amount_discount: number
  total: number
  items: SheetItem[]
  /** The tax in the total, by its rates. */
  tax_lines: TaxLine[]
  tax_inclusive: boolean
  reverse_charge: boolean
  /** Rates that are added to prices: later payments of a subscription have them too. */
  addedRates: TaxRate[]
  /** Where the buyer is taxed, where that is asked. */
  place: AskedPlace | null
  discount: ShownDiscount | null
  /** What is billed, when it is a bill. */
  invoice: { number: string; description: string | null; due_at: string } | null
  /** What is paid for, when it is the unpaid period of a subscription. */
  renewal: Upcoming | null
  /** A code that was applied and can no longer be used, and why. */
  lostCode: { code: string; problem: string } | null
  takesCodes: boolean
  /** Names the order as it is shown; sent back by the buyer who pays it. */
  agreement: string
}

/** Who sells what a fee pays. */
const THE_SERVICE = { name: 'Shopwright', email: null }

/**
 * What a page shows besides the order: the present moment, test cards, pictures, and a code that is left out of the prices
 * already. Why an item cannot be bought is checked when it is paid. Tax that prices include, and where it is charged, change
 * nothing for the buyer. Everything else of a sheet is agreed to, so that a fact added to the page becomes part of the
 * agreement by itself.
 */
type Aside = 'closed' | 'now' | 'cards' | 'lostCode' | 'agreement' | 'items' | 'place' | 'tax_lines' | 'tax_inclusive'
type Agreed = Omit<Sheet, Aside> & { items: Omit<SheetItem, 'problem' | 'picture'>[] }

/** What the page of an open checkout shows at this moment; nothing is written. */
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
  const agreed: Agreed = {
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

/** How much of a line is tax is no part of the agreement: what the line costs is. */
function withoutTax(agreed: Agreed): object {
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

/** As it was agreed to, whatever became of the discount. */
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

/** A checkout as `reprice` would leave it: with its discount as that is now, if it can still be used. */
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

/** Why lines cannot be bought now, by their price. What an invoice or a subscription bills is sold already. */
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
