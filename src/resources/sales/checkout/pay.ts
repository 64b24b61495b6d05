import { ApiError, type FieldErrors, invalid, requireValid } from '../../../contract/declarations/errors.ts'
import type { PaymentProvider } from '../../../providers/payments/provider.ts'
import type { Context } from '../../../records/context.ts'
import { listenersOf } from '../../../records/listeners.ts'
import { changeRow, findRow, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { currentAccount } from '../../company/account/current.ts'
import { readTurn } from '../../messages/email/team/notices.ts'
import { holdInvoice, requirePayableInvoice } from '../invoice/payable.ts'
import { beginPayment, collect, type PaymentToCollect } from '../payment/begin.ts'
import { beginFee } from '../payment/fee.ts'
import { currentProvider, processorOf, takesTestCards } from '../payment/provider.ts'
import { takeRedemption, takeStock } from '../payment/reserve.ts'
import { holdPeriod, requirePayablePeriod } from '../subscription/schedule.ts'
import { discountTermsOf } from '../subscription/terms.ts'
import { customerOf, customerWithEmail } from './buyer.ts'
import { isSoldAlready } from './cart.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { isFee, requirePayableFee } from './close.ts'
import { stillUsable } from './discounts.ts'
import { whyNotForSale } from './lines.ts'
import { missingPlace } from './place.ts'
import { hasAllAmounts, isEverCharged, price, pricedFields } from './price.ts'
import { clientSecret } from './show.ts'
import { soldBy } from './sold-by.ts'
import { placeOf } from './tax/terms.ts'
import { isCharged } from './test-card.ts'

export interface Paying {
  /** The number of a test card; other providers collect the card on their own pages. */
  card?: string
  /** The name to store if the payment creates the customer. */
  name?: string | null
  /** The total that the buyer has agreed to; no other amount is charged. */
  agreedTotal?: number
}

/** The id of the payment that was started; null if the total has changed and the buyer must agree to the new one first. */
export type PaymentStarted = string | null

/**
 * Starts the payment of an open checkout: checks the items again, and reserves stock and discount. Throws a 400 if the state allows no
 * payment, and a 422 for missing entries or unavailable items.
 */
export async function payCheckout(context: Context, given: CheckoutRow, paying: Paying): Promise<PaymentStarted> {
  requirePayable(context, given)
  const [provider] = await Promise.all([providerFor(context, given), readAhead(context, given)])
  return startPayment(context, given, { ...paying, provider }, (begun, frozen) =>
    collect(context, begun, provider, { ...requestOf(context, frozen), ...cardOf(paying) }),
  )
}

/** A checkout that is never charged uses the test provider, which needs no card. */
async function providerFor(context: Context, checkout: CheckoutRow): Promise<PaymentProvider> {
  return isCharged(checkout) ? currentProvider(context, checkout) : context.services.payments.test
}

interface StartOptions extends Omit<Paying, 'card'> {
  provider: PaymentProvider
}

/** Like `payCheckout`, but with a given provider. `take` collects the money once the checkout records the payment. */
export async function startPayment(
  context: Context,
  given: CheckoutRow,
  { provider, agreedTotal = given.total, name = null }: StartOptions,
  take: (begun: PaymentToCollect, frozen: CheckoutRow) => Promise<unknown>,
): Promise<PaymentStarted> {
  requirePayable(context, given)
  const [, missing, checkout] = await Promise.all([
    readAhead(context, given),
    missingPlace(context, given),
    reprice(context, given),
  ])
  // The tax depends on the buyer's country and region, so they must be known before anything is charged.
  requireValid(missing)
  if (checkout.total !== agreedTotal) return null
  const begun = await begin(context, checkout, name, provider)
  await take(begun, await freeze(context, checkout, begun.payment.id))
  return begun.payment.id
}

async function begin(context: Context, checkout: CheckoutRow, name: string | null, provider: PaymentProvider) {
  if (isFee(checkout)) return beginFee(context, checkout, provider)
  const customer = await customerOf(context, checkout, name)
  await reserve(context, checkout)
  return beginPayment(context, { ...purchaseOf(checkout), customer: customer.id }, provider)
}

/** Throws a 400 with the reason unless a payment of the checkout can start. */
export function requireOpen({ status, paying }: CheckoutRow): void {
  if (status === 'complete') throw new ApiError('invalid_state', 'This checkout is complete; it has already been paid.')
  if (status !== 'open') throw new ApiError('invalid_state', `This checkout is ${status} and cannot be paid.`)
  if (paying !== null) throw new ApiError('invalid_state', 'This checkout is being paid.')
}

function requirePayable(context: Context, checkout: CheckoutRow): void {
  requireOpen(checkout)
  if (checkout.formation !== null) requirePayableFee(context, checkout.formation)
  if (!hasAllAmounts(checkout.lines)) throw invalid({ amount: ["can't be blank"] })
  if (checkout.email === null) throw invalid({ email: ["can't be blank"] })
}

/** Reserves stock and a discount redemption, so that other buyers cannot take them before the payment succeeds. */
async function reserve(context: Context, { lines, discount, invoice, subscription }: CheckoutRow): Promise<void> {
  if (invoice !== null) await requirePayableInvoice(context, invoice)
  if (subscription !== null) return requirePayablePeriod(context, subscription)
  await takeStock(context, lines)
  if (discount !== null) await takeRedemption(context, discount)
}

function purchaseOf(checkout: CheckoutRow) {
  const { id, lines, subtotal, amount_discount, total, discount, invoice, link, subscription, metadata } = checkout
  const { amount_tax, tax_inclusive, tax_lines, reverse_charge } = checkout
  return {
    ...{ lines, subtotal, amount_discount, total, discount, checkout: id, invoice, link, subscription, metadata },
    ...{ amount_tax, tax_inclusive, tax_lines, reverse_charge, place: placeOf(checkout) },
  }
}

async function freeze(context: Context, checkout: CheckoutRow, payment: string): Promise<CheckoutRow> {
  if (checkout.invoice !== null) await holdInvoice(context, checkout.invoice, payment)
  if (checkout.subscription !== null) await holdPeriod(context, checkout.subscription, payment)
  const discount = checkout.discount === null ? null : await findRow(context, Discount, checkout.discount)
  return changeRow(context, Checkout, checkout, {
    paying: payment,
    discount_terms: discount ? discountTermsOf(discount) : null,
  })
}

function requestOf(context: Context, checkout: CheckoutRow) {
  const [first] = checkout.lines
  return {
    description: first!.product_name,
    email: checkout.email!,
    saveMethod: isEverCharged(checkout.lines),
    returnUrl: `${context.publicUrl}/checkout/${clientSecret(context, checkout.id)}`,
  }
}

function cardOf({ card }: Paying) {
  return card === undefined ? {} : { card }
}

/** Completes a checkout that is free now, and returns any other unchanged. A subscription needs a saved card for later charges, except with test cards. */
export async function completeIfFree(context: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  const { total, email, lines } = checkout
  if (total > 0 || email === null || !hasAllAmounts(lines)) return checkout
  if (isEverCharged(lines) && !(await takesTestCards(context, checkout))) return checkout
  if (Object.keys(await missingPlace(context, checkout)).length > 0) return checkout
  await payCheckout(context, checkout, {})
  return requireRow(context, Checkout, checkout.id)
}

/**
 * Updates the discount of a checkout when its payment starts, and removes one that can no longer be used; lines keep their prices. Throws a
 * 422 for lines that are no longer for sale. Changes nothing if the contents are fixed (`isSoldAlready`).
 */
export async function reprice(context: Context, checkout: CheckoutRow): Promise<CheckoutRow> {
  if (isSoldAlready(checkout)) return checkout
  requireValid(await problemsOf(context, checkout.lines))
  if (checkout.discount === null) return checkout
  const discount = await stillUsable(context, checkout.discount, checkout.lines)
  return changeRow(
    context,
    Checkout,
    checkout,
    pricedFields(price(checkout.lines, discount, checkout.tax), await processorOf(context, checkout)),
  )
}

async function problemsOf(context: Context, lines: CheckoutRow['lines']): Promise<FieldErrors> {
  const [variants, products] = await soldBy(context, lines)
  const errors: FieldErrors = {}
  for (const [index, { price_variant, product, quantity }] of lines.entries()) {
    const [variant, sold] = [variants.get(price_variant), products.get(product)]
    const problem = variant && sold ? whyNotForSale(variant, sold, quantity, context.now) : 'is no longer for sale'
    if (problem) errors[`line_items.${index}.price_variant`] = [problem]
  }
  return errors
}

/** Reads all rows that a payment needs into the cache in parallel, so that the payment waits for the database only once. */
export async function readAhead(context: Context, { lines, email, subscription }: CheckoutRow): Promise<void> {
  await Promise.all([
    currentAccount(context),
    subscription === null && soldBy(context, lines),
    email !== null && customerWithEmail(context, email),
    readTurn(context, 'sales'),
    listenersOf(context),
  ])
}
