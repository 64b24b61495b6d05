import { ApiError, type FieldErrors, invalid } from '../../../contract/declarations/errors.ts'
import { idTimeMs, newId } from '../../../contract/values/ids.ts'
import type { Context, VaultContext } from '../../../records/context.ts'
import { changeRow, findNamed, findRow, findRows, requireRow } from '../../../records/records.ts'
import { Discount } from '../../catalog/discount/discount.ts'
import { PriceVariant, type PriceVariantRow } from '../../catalog/price-variant/price-variant.ts'
import { Product } from '../../catalog/product/product.ts'
import { claimTransfer, type GoodTransfer, requireFirstUse } from '../payment/transfer.ts'
import { Checkout, type CheckoutRow, MAX_QUANTITY } from './checkout.ts'
import { openCheckout } from './create.ts'
import { whyNotUsable } from './discounts.ts'
import type { Line } from './line.ts'
import { lineOf, whyNotAmount, whyNotOffered, whyNotTogether } from './lines.ts'
import { type PaymentStarted, reprice, requireOpen, startPayment } from './pay.ts'
import { type Priced, price } from './price.ts'
import { x402RequirementsOf } from './show.ts'
import { changedPlace, isSamePlace, termsAt } from './tax/given.ts'
import { NO_PLACE, type TaxPlace } from './tax/terms.ts'
import { enter, type GivenPlace } from './update.ts'

/** One unit of a price; `problem` is the reason why it cannot be bought now, or null. */
interface OfferedItem {
  line: Line
  problem: string | null
}

/** The items that a checkout link, or the URL of a price, offers now. */
export interface Offer {
  items: OfferedItem[]
  /** The items that can be bought, with their totals; null if there are none. */
  priced: Priced | null
  /** The reason why the items cannot be bought together, or null. */
  problem: string | null
  /** The offer's discount code if it cannot be applied, with the reason; otherwise null. */
  refusedCode: { code: string; problem: string } | null
}

/** Offers one unit of each price; unknown prices are left out. */
export async function offerOf(
  context: Context,
  variantIds: readonly string[],
  discountId: string | null,
): Promise<Offer> {
  const items = await itemsOf(context, variantIds)
  const lines = items.flatMap(({ line, problem }) => (problem === null ? [line] : []))
  const problem = whyNotTogether(lines)
  if (lines.length === 0 || problem !== null) return { items, priced: null, problem, refusedCode: null }
  const discount = discountId === null ? undefined : await findRow(context, Discount, discountId)
  const refusal = discount ? whyNotUsable(discount, lines, context.now) : null
  return {
    items,
    priced: price(lines, discount && refusal === null ? discount : null, null),
    problem,
    refusedCode: discount && refusal !== null ? { code: discount.code, problem: refusal } : null,
  }
}

async function itemsOf(context: Context, variantIds: readonly string[]): Promise<OfferedItem[]> {
  const variants = await findRows(context, PriceVariant, variantIds)
  const products = await findNamed(context, Product, 'product', variants.values())
  return variantIds.flatMap((id) => {
    const variant = variants.get(id)
    const product = variant && products.get(variant.product)
    if (!variant || !product) return []
    return [
      { line: lineOf(variant, product, { quantity: 1 }), problem: whyNotOffered(variant, product, 1, context.now) },
    ]
  })
}

export function whatPriceOffers(context: Context, variant: PriceVariantRow): Promise<Offer> {
  return offerOf(context, [variant.id], null)
}

/** Throws a 422 if the price is not for sale. */
export async function openFromPrice(context: Context, variant: PriceVariantRow): Promise<CheckoutRow> {
  return openOffer(context, await whatPriceOffers(context, variant), { link: variant.id })
}

/** Opens a checkout for the items that can be bought. Throws a 422 that names each problem if there are none. */
export function openOffer(context: Context, offer: Offer, values: Partial<CheckoutRow> = {}): Promise<CheckoutRow> {
  if (offer.priced === null) throw invalid(problemsOf(offer))
  const line_items = offer.priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  return openCheckout(context, {
    priced: offer.priced,
    email: null,
    customer: null,
    values: { ...values, line_items },
  })
}

function problemsOf({ items, problem }: Offer): FieldErrors {
  if (problem !== null || items.length === 0) return { line_items: [problem ?? 'are no longer for sale'] }
  return Object.fromEntries(
    items.map(({ problem }, index) => [`line_items.${index}.price_variant`, [problem ?? 'is not for sale']]),
  )
}

const PURPOSE = 'promised checkout'
/** The time for which a promised checkout id is valid; clients sign right after they have read the payment terms. */
const PROMISE_MS = 15 * 60 * 1000

/** A purchase that a software client requests at the URL of a price. */
export interface Purchase {
  quantity: number
  /** Unit price in minor units, if the buyer chooses it. */
  amount?: number
  place: GivenPlace
}

/** Prices a purchase, including tax; stores nothing. Throws a 422 that names each problem. */
export async function priceOfPurchase(
  context: Context,
  variant: PriceVariantRow,
  { quantity, amount, place: given }: Purchase,
): Promise<{ priced: Priced; place: TaxPlace }> {
  const product = await requireRow(context, Product, variant.product)
  const most = quantity < 1 || quantity > MAX_QUANTITY ? `must be from 1 to ${MAX_QUANTITY}` : null
  const problems = {
    price_variant: whyNotOffered(variant, product, quantity, context.now),
    quantity: most,
    amount: whyNotAmount(variant, amount),
  }
  const errors: FieldErrors = {}
  for (const [field, problem] of Object.entries(problems)) if (problem !== null) errors[field] = [problem]
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const place = changedPlace(NO_PLACE, given)
  return { priced: price([lineOf(variant, product, { quantity, amount })], null, await termsAt(context, place)), place }
}

/** `id` is a promised checkout id, or undefined for a new one. Throws like `priceOfPurchase`. */
export async function openPurchase(
  context: Context,
  variant: PriceVariantRow,
  { email, id, ...purchase }: Purchase & { email: string; id: string | undefined },
): Promise<CheckoutRow> {
  const { priced, place } = await priceOfPurchase(context, variant, purchase)
  const line_items = priced.lines.map(({ price_variant, quantity }) => ({ price_variant, quantity }))
  const values = { ...place, link: variant.id, line_items }
  return openCheckout(context, { priced, email, customer: null, values, id })
}

/**
 * Returns a secret for payment terms, and reserves a checkout id for the client who pays under them. A signed transfer becomes public on
 * the chain, so only the secret distinguishes its buyer from everybody who has read it there.
 */
export function promiseCheckout({ services }: VaultContext, price: string): string {
  const id = newId('co')
  return `${id}.${services.vault.derive(PURPOSE, `${price}/${id}`)}`
}

/** Returns the checkout id that a secret of `promiseCheckout` reserves for a price, or null if the secret is wrong. */
export function promisedCheckout({ services }: VaultContext, price: string, secret: unknown): string | null {
  const [id = '', given = '', ...more] = typeof secret === 'string' ? secret.split('.') : []
  if (more.length > 0 || !Checkout.isId(id)) return null
  return services.vault.matches(PURPOSE, `${price}/${id}`, given) ? id : null
}

/** Whether a checkout may still be opened under a promised id, which contains its creation time. */
export function isRecentPromise(id: string): boolean {
  return Date.now() - idTimeMs(id) < PROMISE_MS
}

/** Pays with a verified USDC transfer. Throws a 400 for a used transfer or expired checkout. Returns null if the x402 terms changed. */
export async function payByTransfer(
  context: Context,
  given: CheckoutRow,
  { email, place, ...good }: GoodTransfer & { email: string | null; place: TaxPlace },
): Promise<PaymentStarted> {
  const { x402 } = context.services.payments
  if (x402 === null) throw new ApiError('invalid_state', 'Nothing settles payments in USDC any more.')
  requireOpen(given)
  if (given.expires_at <= context.now)
    throw new ApiError('invalid_state', 'This checkout is expired and cannot be paid.')
  await requireFirstUse(context, good.key)
  const repriced = await reprice(context, isSamePlace(given, place) ? given : await enter(context, given, place))
  if (!(await isAgreed(context, repriced, good))) return null
  const checkout = repriced.email === null ? await changeRow(context, Checkout, repriced, { email }) : repriced
  return startPayment(context, checkout, { provider: x402 }, ({ payment }) => claimTransfer(context, payment, good))
}

/** Whether the signed terms still apply: the wallet, the chain or the total may have changed meanwhile. */
async function isAgreed(context: Context, checkout: CheckoutRow, { terms }: GoodTransfer): Promise<boolean> {
  const now = await x402RequirementsOf(context, checkout)
  return now !== null && JSON.stringify(now.accepts[0]) === JSON.stringify(terms)
}
