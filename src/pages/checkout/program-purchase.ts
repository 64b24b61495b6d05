import type { BuyerCaller } from '../../contract/declarations/caller.ts'
import type { FieldErrors } from '../../contract/declarations/errors.ts'
import type { Row } from '../../contract/declarations/noun.ts'
import { isPlainObject } from '../../contract/values/json.ts'
import { MAX_AMOUNT } from '../../contract/values/values.ts'
import type { BroughtTransfer } from '../../providers/payments/provider.ts'
import type { Context } from '../../records/context.ts'
import { findRow, requireRow } from '../../records/records.ts'
import { PriceVariant } from '../../resources/catalog/price-variant/price-variant.ts'
import { x402Wallet } from '../../resources/company/x402-configuration/requirements.ts'
import { Checkout } from '../../resources/sales/checkout/checkout.ts'
import { draftOf } from '../../resources/sales/checkout/draft.ts'
import {
  isRecentPromise,
  openPurchase,
  type Purchase,
  payByTransfer,
  priceOfPurchase,
  promiseCheckout,
  promisedCheckout,
} from '../../resources/sales/checkout/offer.ts'
import type { PaymentStarted } from '../../resources/sales/checkout/pay.ts'
import { hasAllAmounts } from '../../resources/sales/checkout/price.ts'
import { x402RequirementsAt } from '../../resources/sales/checkout/show.ts'
import { OPENING_EVENTS, SALE_EVENTS } from '../../resources/sales/payment/events.ts'
import type { Payment } from '../../resources/sales/payment/payment.ts'
import type { GoodTransfer } from '../../resources/sales/payment/transfer.ts'
import { refusedOf } from './act.ts'
import { readPlace } from './entries.ts'
import { BAZAAR } from './program-answers.ts'
import {
  missingPlaceOf,
  type OfferState,
  offerStateOf,
  type Payable,
  type ProgramQuery,
  readEmail,
} from './program-state.ts'

export type PaymentRow = Row<typeof Payment>

type CheckedTransfer = GoodTransfer & Pick<BroughtTransfer, 'extensions'> & Pick<Payable, 'place'> & { email: string }

/** The reader of a receipt. Only the buyer may read the whole receipt; anybody else sees the facts that are public on the blockchain. */
export type ReceiptReader = 'buyer' | 'anybody'

export interface Counter {
  caller: BuyerCaller
  /** The id of the checkout, whose payments then have a rate limit of their own; absent if all buyers pay at the same URL. */
  about?: string
  events: readonly string[]
  /** Whether a payment opens a checkout, which requires free storage in the account. */
  opens: boolean
  offered(context: Context, given: ProgramQuery): Promise<OfferState | null>
  /** Starts the payment with a checked transfer. Returns null if the signed terms have changed or were already used. */
  claim(context: Context, taken: CheckedTransfer, given: ProgramQuery): Promise<PaymentStarted>
  /** Returns `buyer` for the buyer who repeats a payment, `anybody` for others, and null if the payment is for something else. */
  readerOf(context: Context, payment: PaymentRow, brought: BroughtTransfer): Promise<ReceiptReader | null>
}

/** Lets software clients pay an open checkout. Its URL is a secret, so every visitor counts as the buyer. */
export function checkoutCounter(caller: BuyerCaller): Counter {
  const { checkoutId } = caller
  return {
    ...{ caller, about: checkoutId, events: SALE_EVENTS, opens: false },
    offered: (context, given) => offerStateOf(context, caller, given),
    claim: async (context, taken) => payByTransfer(context, await requireRow(context, Checkout, checkoutId), taken),
    readerOf: async (_, payment) => (payment.checkout === checkoutId ? 'buyer' : null),
  }
}

/** The name of our x402 extension. It contains a secret that later identifies the payer. */
const PURCHASE_EXTENSION = 'purchase'

/** Lets software clients buy a price at its URL. The payment opens the checkout; nothing is stored before. */
export function priceCounter(accountId: string, price: string): Counter {
  const caller: BuyerCaller = { kind: 'buyer', accountId, checkoutId: price }
  return {
    ...{ caller, events: OPENING_EVENTS, opens: true },
    offered: (context, given) => offerStateAt(context, price, given),
    async claim(context, { extensions, ...taken }, given) {
      const promised = promisedCheckoutIn(context, price, extensions)
      if (promised !== null && (await findRow(context, Checkout, promised))) return null
      const id = promised !== null && isRecentPromise(promised) ? promised : undefined
      const variant = await requireRow(context, PriceVariant, price)
      const { purchase } = readPurchase(given)
      const checkout = await openPurchase(context, variant, { ...purchase, email: taken.email, id })
      return payByTransfer(context, checkout, taken)
    },
    readerOf: (context, payment, brought) => readerOf(context, price, payment, brought),
  }
}

/** Returns the terms of a purchase or the reason why there are none; null if the price is free or cannot be paid in USDC. */
async function offerStateAt(context: Context, price: string, given: ProgramQuery): Promise<OfferState | null> {
  const variant = await requireRow(context, PriceVariant, price)
  if (variant.currency !== 'usd' || variant.billing_type !== 'one_time' || (await x402Wallet(context)) === null)
    return null
  const { purchase, errors } = readPurchase(given)
  const email = readEmail(given.email)
  const unread = { ...errors, ...('errors' in email && email.errors) }
  if ('errors' in email || Object.keys(unread).length > 0) return { state: 'incomplete', errors: unread }
  try {
    const { priced, place } = await priceOfPurchase(context, variant, purchase)
    const cart = draftOf(priced, { link: price, place })
    if (!hasAllAmounts(cart.lines)) return { state: 'incomplete', errors: NO_AMOUNT }
    const missing = await missingPlaceOf(context, cart)
    if (Object.keys(missing).length > 0) return { state: 'incomplete', errors: missing }
    const terms = await x402RequirementsAt(context, cart, `${context.publicUrl}/buy/${price}`)
    if (terms === null) return null
    // Hidden prices are not listed in catalogues, because they are sold only to buyers who have the URL.
    const extensions = {
      ...(!variant.hidden && { bazaar: BAZAAR }),
      [PURCHASE_EXTENSION]: purchaseExtension(context, price),
    }
    return { state: 'payable', terms: { ...terms, extensions }, email: email.email, place }
  } catch (error) {
    const refused = refusedOf(error)
    if (refused?.kind !== 'refused') throw error
    return { state: 'incomplete', errors: refused.errors }
  }
}

const NO_AMOUNT = { amount: ["can't be blank: add ?amount=1500 to the address for a price of $15.00"] }

function readPurchase({ quantity, amount, ...given }: ProgramQuery): { purchase: Purchase; errors: FieldErrors } {
  const { place, errors } = readPlace(given)
  const purchase: Purchase = { quantity: quantity === null ? 1 : wholeNumber(quantity), place }
  if (amount !== null) purchase.amount = wholeNumber(amount)
  if (Number.isNaN(purchase.quantity)) errors.quantity = ['must be a whole number']
  if (Number.isNaN(purchase.amount)) errors.amount = ['must be a whole number of cents']
  return { purchase, errors }
}

/** Returns NaN for text that is not a whole number, and for numbers above the maximum amount. */
function wholeNumber(text: string): number {
  const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  return number > MAX_AMOUNT ? Number.NaN : number
}

function purchaseExtension(context: Context, price: string) {
  const schema = { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] }
  return { info: { secret: promiseCheckout(context, price) }, schema }
}

/** Returns the checkout id that the client sends back in our extension with the signed payment; null if it is not valid. */
function promisedCheckoutIn(context: Context, price: string, extensions: BroughtTransfer['extensions']): string | null {
  const extension = extensions[PURCHASE_EXTENSION]
  const info = isPlainObject(extension) ? extension.info : null
  return isPlainObject(info) ? promisedCheckout(context, price, info.secret) : null
}

async function readerOf(
  context: Context,
  price: string,
  payment: PaymentRow,
  { extensions }: BroughtTransfer,
): Promise<ReceiptReader | null> {
  if (payment.checkout === null) return null
  if (promisedCheckoutIn(context, price, extensions) === payment.checkout) return 'buyer'
  const checkout = await findRow(context, Checkout, payment.checkout)
  return checkout?.link === price ? 'anybody' : null
}
